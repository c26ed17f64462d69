import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLocalClient } from '../../../../src/client/local.ts'
import type { RouteAnswer } from '../../../../src/contract/routes.ts'
import { deliver as deliverGeneric } from '../../../../src/notify/generic/deliver.ts'
import { type ReceivedMessage, receiveWebhooks } from '../../../../src/notify/generic/standard/receive.ts'
import { newSigningSecret, signatureHeaders } from '../../../../src/notify/generic/standard/sign.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { message, release } from '../../../notify/helpers/messages.ts'
import { secretFor, tools } from '../../../notify/helpers/receiver.ts'

let home = ''
const run = (line: string, stdin = '') => runCli(line.split(' '), { home, stdin })
beforeEach(() => {
  home = temporaryFolder()
})

const webhooks = async () => JSON.parse((await run('webhooks list --json')).stdout).items

describe('relt webhooks set', () => {
  test('sets, lists and removes a webhook of the account, and shows no address', async () => {
    const done = await run('webhooks set slack --secret-file -', 'https://hooks.slack.com/services/T0/B0/secret\n')
    expect([done.code, done.stderr]).toEqual([0, '✓ Set the slack webhook of your account\n'])
    expect(await webhooks()).toMatchObject([{ channel: 'slack', url: 'https://hooks.slack.com/services/…' }])
    expect((await run('webhooks set slack --remove')).stderr).toBe('✓ Removed the slack webhook of your account\n')
    expect(await webhooks()).toEqual([])
  })

  test('keeps the format at the end of the address', async () => {
    await run('webhooks set generic --format mattermost --secret-file -', 'https://chat.example/hooks/x#a=b')
    const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
    const answer = await client.request({ method: 'GET', path: '/dashboard' })
    await client.close()
    expect((answer as RouteAnswer<'getDashboard'>).generic_webhook).toBe(
      'https://chat.example/hooks/x#format=mattermost&a=b',
    )
  })

  test('refuses a retired address of Teams with the way to another one', async () => {
    const { code, stderr } = await run('webhooks set teams --secret-file -', 'https://x.webhook.office.com/webhookb2/y')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Workflows')])
  })

  test.each([
    'webhooks set slack --format discord --secret-file -',
    'webhooks set teams --format ntfy --secret-file -',
    'webhooks set generic --format card --secret-file -',
    'webhooks set generic --remove --format ntfy',
  ])('%s is a mistake', async (line) => {
    expect((await run(line, 'https://hooks.example/x')).code).toBe(2)
  })
})

test('a new signing secret is the whole output, and the previous one stays valid for a day', async () => {
  const first = await run('webhooks rotate-secret')
  expect(first.stdout).toMatch(/^whsec_\S+\n$/)
  const { secret, previous_valid_until } = JSON.parse((await run('webhooks rotate-secret --json')).stdout)
  expect([`${secret}\n` === first.stdout, previous_valid_until]).toEqual([false, expect.stringMatching(/^20/)])
})

test('relt webhooks verify accepts what was signed and refuses a changed body', async () => {
  const secret = newSigningSecret()
  const [body, secretFile] = [join(home, 'body.json'), join(home, 'secret.txt')]
  writeFileSync(body, '{"a":"ü"}')
  writeFileSync(secretFile, `${secret}\n`)
  const headers = signatureHeaders({ id: 'msg_1', at: 1000, body: '{"a":"ü"}', secrets: [secret] })
  const signature = headers['webhook-signature']
  const argv = ['webhooks', 'verify', body, '--id', 'msg_1', '--timestamp', '1000', '--secret-file', secretFile]
  expect(await runCli([...argv, '--signature', signature!], { home })).toMatchObject({ code: 0 })
  writeFileSync(body, '{"a":"u"}')
  const changed = await runCli([...argv, '--signature', signature!], { home })
  expect([changed.code, changed.stderr]).toEqual([4, expect.stringContaining('signature does not match')])
})

test('a receiver shows and verifies what arrives, and stops after a number of webhooks', async () => {
  const secret = newSigningSecret()
  const received: ReceivedMessage[] = []
  const outcomes: unknown[] = []
  await receiveWebhooks({
    ...{ port: 0, count: 3, secrets: [secret], signal: new AbortController().signal },
    now: () => Math.floor(Date.now() / 1000),
    onMessage: (each) => received.push(each),
    onListening: async (url) => {
      for (const signingSecrets of [[secret], [newSigningSecret()], []]) {
        outcomes.push(await deliverGeneric.send(message([release()]), secretFor(url), tools({ signingSecrets })))
      }
    },
  })
  expect(received.map(({ problem }) => problem)).toEqual([
    null,
    'its signature does not match',
    'it has no webhook-signature',
  ])
  await expect.poll(() => outcomes.length).toBe(3)
  expect(outcomes.map((outcome) => (outcome as { httpStatus: number }).httpStatus)).toEqual([204, 401, 401])
  expect(received[0]).toMatchObject({ id: 'msg_2Kx', type: 'release.published' })
  expect(received[0]!.lines.join('\n')).toContain('Argo CD v3.2.1')
})

describe('relt notify preview', () => {
  const preview = async (line: string) => (await run(`notify preview ${line}`)).stdout

  test('shows the texts of a message without its markup', async () => {
    for (const line of ['email', 'slack', 'teams', 'generic --format discord', 'generic --format ntfy']) {
      const text = await preview(`release.security --channel ${line}`)
      expect(text).toContain('Argo CD v3.2.1 is a security fix (critical)\n')
      expect(text).toContain('Runs in: prod-eu (v3.1.0), prod-us (v3.1.0) and 1 more')
      expect(text).not.toMatch(/\*\*|<\w|\\\w/)
    }
  })

  test('shows as JSON what would be sent', async () => {
    const { content_type, body } = JSON.parse(await preview('digest --channel slack --json'))
    expect([content_type, body.blocks[0].type]).toEqual(['application/json', 'header'])
    expect(await preview('digest --channel email --jq .html')).toContain('<!doctype html>')
  })

  test('shows each event on each channel', async () => {
    const { eventTypes } = await import('../../../../src/contract/choices.ts')
    const texts: string[] = []
    for (const type of eventTypes) texts.push(await preview(`${type} --channel teams`))
    expect(new Set(texts).size).toBe(eventTypes.length)
    expect(texts.join()).not.toContain('Notification from relt')
  })
})

test('relt webhooks list names its own command when there is none', async () => {
  expect((await run('webhooks list')).stderr).toBe('No webhooks yet. Set one: relt webhooks set slack\n')
})
