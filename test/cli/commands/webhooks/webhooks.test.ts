import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLocalClient } from '../../../../src/client/local.ts'
import type { RouteAnswer } from '../../../../src/contract/routes.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

let home = ''
const run = (line: string, stdin = '') => runCli(line.split(' '), { home, stdin })
beforeEach(() => {
  home = temporaryFolder()
})

const webhooks = async () => JSON.parse((await run('webhooks list --json')).stdout).items

/** The subscription as the service has it. */
async function stored() {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  const answer = await client.request({ method: 'GET', path: '/subscriptions' })
  await client.close()
  return (answer as RouteAnswer<'listSubscriptions'>).subscriptions[0]!
}

describe('relt webhooks set', () => {
  test('sets, lists and removes a webhook of the account, and shows no address', async () => {
    const done = await run('webhooks set slack --secret-file -', 'https://hooks.slack.com/services/T0/B0/secret\n')
    expect([done.code, done.stderr]).toEqual([0, '✓ Set the slack webhook of your account\n'])
    expect(await webhooks()).toMatchObject([{ channel: 'slack', url: 'https://hooks.slack.com/services/…' }])
    expect((await run('webhooks set slack --remove')).stderr).toBe('✓ Removed the slack webhook of your account\n')
    expect(await webhooks()).toEqual([])
  })

  describe('of a subscription', () => {
    const secret = 'https://hooks.slack.com/services/T0/B0/secret'
    beforeEach(async () => {
      await makeSmallCatalog(home)
      await run('subs add argo-cd')
    })

    test('comes from the first line of a file, and goes again', async () => {
      const file = join(home, 'webhook')
      writeFileSync(file, `${secret}\r\nmore\n`)
      const set = `webhooks set generic --project argo-cd`
      expect(await run(`${set} --secret-file ${file}`)).toEqual({
        code: 0,
        stdout: '',
        stderr: '✓ Set the generic webhook of Argo CD\n',
      })
      expect(await stored()).toMatchObject({ generic_webhook: secret, webhook_url: secret, teams_webhook: null })
      await run(`${set} --remove`)
      expect((await stored()).generic_webhook).toBe(null)
    })

    test('is asked for on a terminal, and not shown', async () => {
      const asked: [string, string][] = [['URL of the teams webhook', `${secret}\r`]]
      const argv = ['webhooks', 'set', 'teams', '--project', 'argo-cd']
      const { code, left, stdout, stderr } = await talk(argv, asked, { home })
      expect({ code, left }).toEqual({ code: 0, left: [] })
      expect(stdout + stderr).not.toContain('hooks.slack.com')
      expect((await stored()).teams_webhook).toBe(secret)
    })

    test.each([
      ['--secret-file -', '', 'Standard input contains no URL of the slack webhook.'],
      ['--secret-file /no/such', '', '/no/such cannot be read: no such file.'],
      ['--project argo-cd', '', 'There is no terminal to ask for the URL of the slack webhook.'],
      ['--secret-file -', `javascript:${secret}`, 'Invalid parameter(s): slack_webhook'],
    ])('with %s and %j is refused: %s', async (options, stdin, message) => {
      const before = await stored()
      const { code, stdout, stderr } = await run(`webhooks set slack --project argo-cd ${options}`, stdin)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
      expect(stderr).not.toContain(secret)
      expect(await stored()).toEqual(before)
    })
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
