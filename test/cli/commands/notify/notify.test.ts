import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { addRelease, makeSmallCatalog, makeSmallStore, smallReports } from '../../../helpers/small-store.ts'
import { listen, openReceiver } from '../../../notify/helpers/receiver.ts'

async function openMailServer() {
  const mails: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, _, then) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      mails.push(await PostalMime.parse(Buffer.concat(chunks)))
      then()
    },
  })
  return { port: await listen(server.server, '127.0.0.1'), mails }
}

/** A store with a cluster that runs Argo CD, a mail server and a receiver; commands as a person types them. */
async function openDesk({ status = 200 } = {}) {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const answers = { status }
  const { url, requests } = await openReceiver((_, response) => response.writeHead(answers.status).end('ok'))
  const { port, mails } = await openMailServer()
  const env = {
    RELT_DELIVERY: 'on',
    RELT_WEBHOOK_ALLOW: '127.0.0.1',
    RELT_SMTP_URL: `smtp://127.0.0.1:${port}`,
    RELT_SMTP_FROM: 'relt@relt.example',
    RELT_SMTP_RATE: '100',
  }
  let now = testNow
  const run = (line: string, stdin = '') => runCli(line.split(' '), { home, env, stdin, now })
  const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout)
  const later = (seconds: number) => {
    now += seconds
  }
  await run('admin users set-email local ada@example.com')
  await run('webhooks set slack --secret-file -', `${url}/services/T0/B0/x\n`)
  await run('subs add argo-cd')
  await run('notify send --once')
  const publish = (version: string) => addRelease(home, 'Argo CD', version)
  return { home, run, json, later, publish, requests, mails, answers }
}

test('a release of something that runs arrives by mail and in Slack', async () => {
  const { run, publish, requests, mails } = await openDesk()
  await publish('v3.9.0')
  const { code, stderr } = await run('notify send --once')
  expect([code, stderr]).toEqual([0, '✓ Notifications: 2 sent, 0 failed, 0 skipped\n'])
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Argo CD v3.9.0')])
  expect(mails[0]!.text).toContain('shop-prod')
  expect(JSON.parse(requests[0]!.body)).toMatchObject({ blocks: expect.any(Array) })
  expect(requests[0]!.body).toContain('shop-prod')
  expect((await run('notify send --once')).stderr).toContain('0 sent')
})

test('the six commands of the guide lead from an empty store to a mail and a Slack message', async () => {
  const guide = readFileSync(new URL('../../../../docs/notifications.md', import.meta.url), 'utf8')
  const [, block = ''] = /these six commands[\s\S]*?```\n([\s\S]*?)```/.exec(guide)!
  const commands = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, '').replace('relt ', ''))
  expect(commands).toHaveLength(6)
  // The guide offers an example where no source has a new release.
  const [, example = ''] = /example release with\s`relt (api POST \/add-release [^`]*)`/.exec(guide)!
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const report = join(home, 'kubebuddy-report.json')
  writeFileSync(report, JSON.stringify(smallReports[2]))
  const { url, requests } = await openReceiver((_, response) => response.end('ok'))
  const { port, mails } = await openMailServer()
  const env = {
    RELT_DELIVERY: 'on',
    RELT_WEBHOOK_ALLOW: '127.0.0.1',
    RELT_SMTP_URL: `smtp://127.0.0.1:${port}`,
    RELT_SMTP_FROM: 'relt@relt.example',
    RELT_SMTP_RATE: '100',
  }
  for (const command of commands) {
    const line = command === 'catalog sync' ? example : command.replace('kubebuddy-report.json', report)
    const argv = [...line.split(' '), ...(line.startsWith('webhooks set') ? ['--secret-file', '-'] : [])]
    const { code, stderr } = await runCli(argv, { home, env, stdin: `${url}/services/T0/B0/x\n` })
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' })
  }
  expect([requests, mails].map((sent) => sent.length)).toEqual([1, 1])
  for (const text of [requests[0]!.body, mails[0]!.text]) expect(text).toContain('shop-prod (v3.5.1)')
})

describe('relt notify deliveries', () => {
  test('lists, shows and retries notifications', async () => {
    const { run, json, later, publish, requests, answers } = await openDesk({ status: 500 })
    await publish('v3.9.0')
    expect((await run('notify send --once')).stderr).toContain('1 sent, 1 failed')
    const { items } = await json('notify deliveries list --channel slack')
    expect(items).toMatchObject([{ channel: 'slack', state: 'failed', version: 'v3.9.0', attempts: 1 }])
    const id = items[0].delivery_id
    expect((await json('notify deliveries list --state accepted')).items).toMatchObject([{ channel: 'email' }])
    expect((await run('notify deliveries list --state dead')).stderr).toBe('No notifications.\n')
    const shown = (await run(`notify deliveries show ${id}`)).stdout
    expect(shown).toMatch(/State +failed/)
    expect(shown).toMatch(/HTTP status +500/)
    expect(shown).toMatch(/Project +Argo CD v3\.9\.0\n/)
    expect(shown).toMatch(/Event +release\.published at /)
    expect(shown).not.toContain('/B0/x')

    answers.status = 200
    later(1)
    expect((await run(`notify deliveries retry ${id}`)).stderr).toBe(`✓ ${id} is pending\n`)
    later(1)
    await run('notify send --once')
    expect((await json(`notify deliveries show ${id}`)).state).toBe('delivered')
    const messages = requests.map(({ body }) => body)
    expect([messages.length, messages[1] === messages[0]]).toEqual([2, true])

    expect(await run('notify deliveries show msg_nothing')).toMatchObject({ code: 3 })
  })
})

describe('relt notify', () => {
  test.each(['slack', 'teams', 'email', 'generic'])('previews an event for %s', async (channel) => {
    const home = temporaryFolder()
    const run = (...more: string[]) =>
      runCli(['notify', 'preview', 'release.security', '--channel', channel, ...more], { home })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(stdout).toMatch(/CVE-\d{4}-\d+/)
    expect(JSON.parse((await run('--json')).stdout)).toHaveProperty(channel === 'email' ? 'html' : 'body')
    expect((await run('--format', 'discord')).code).toBe(channel === 'generic' ? 0 : 2)
  })
})

test('`notify send` refuses a folder without a store, and does not create one', async () => {
  const home = temporaryFolder()
  const missing = join(home, 'mistyped')
  const { code, stderr } = await runCli(['notify', 'send', '--once', '--data', missing], { home })
  expect([code, stderr]).toEqual([
    2,
    `error: ${missing} has no store: there is no relt.db in it.\nhint: Check the folder of --data.\n`,
  ])
  expect(existsSync(missing)).toBe(false)
})
