import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServerWithUser } from '../../../client/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { openRecorder } from '../../../transfer/recorder.ts'
import { addAccount, inStore, makeHome, reportAt } from '../../../transfer/world.ts'

test('a dry run, a sync and a second one say what they copied and what differs', async () => {
  const home = await makeHome()
  await inStore(home, addAccount)
  await inStore(home, (client) => client.call('uploadReport', { body: {}, report: reportAt('2026-08-20', 'one') }))
  const { server, password } = await openServerWithUser()
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: password, NO_COLOR: '1' }
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runCli([...argv, '--with', server.url], { home, env, columns: 100 })
    // Progress depends on time.
    const said = stderr.replaceAll(/\r[^\r\n]*/g, '')
    return `${stdout}${said}exit ${code}\n`.replaceAll(server.url, 'http://127.0.0.1/x')
  }
  expect(await run('sync', 'push', '--dry-run')).toMatchInlineSnapshot(`
    "Would copy from this machine to http://127.0.0.1/x:
      + label core
      + label unused
      + subscription Argo CD
      + subscription NGINX
      + profile shop
      + 1 run of 1 cluster
    Settings of profiles and webhooks are sent over loopback to http://127.0.0.1/x. A
    sync does not copy settings of accounts and teams, exceptions, owners, gate policies and verdicts,
    or settings of clusters.
    exit 0
    "
  `)
  expect(await run('sync', 'push')).toMatchInlineSnapshot(`
    "Copied from this machine to http://127.0.0.1/x:
      + label core
      + label unused
      + subscription Argo CD
      + subscription NGINX
      + profile shop
      + 1 run of 1 cluster
    Settings of profiles and webhooks are sent over loopback to http://127.0.0.1/x. A
    sync does not copy settings of accounts and teams, exceptions, owners, gate policies and verdicts,
    or settings of clusters.
    exit 0
    "
  `)
  expect(await run('sync', 'both')).toMatchInlineSnapshot(`
    "Already at both ends: 2 labels, 2 subscriptions, 1 profile, 1 run
    Nothing to copy.
    Settings of profiles and webhooks are sent over loopback to http://127.0.0.1/x. A
    sync does not copy settings of accounts and teams, exceptions, owners, gate policies and verdicts,
    or settings of clusters.
    exit 0
    "
  `)
  await inStore(home, async (client) => {
    const { items } = await client.call('listConfigs', { query: {} })
    await client.call('updateConfig', { params: { config_id: items[0]!.config_id! }, body: { notes: 'Other' } })
  })
  expect(await run('sync', 'push')).toMatchInlineSnapshot(`
    "Already at both ends: 2 labels, 2 subscriptions, 1 run
    Conflicts, which were not touched:
      profile shop: notes Other here, Two lines there
    Settings of profiles and webhooks are sent over loopback to http://127.0.0.1/x. A
    sync does not copy settings of accounts and teams, exceptions, owners, gate policies and verdicts,
    or settings of clusters.
    error: The two ends are not in sync: 1 conflict.
    exit 1
    "
  `)
})

test('a sync that is cut off says how to continue', async () => {
  const home = await makeHome()
  await inStore(home, (client) => client.call('uploadReport', { body: {}, report: reportAt('2026-08-20', 'one') }))
  const { server, password } = await openServerWithUser()
  const { url } = await openRecorder(server.url, { dropAfter: 6 })
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: password }
  const { code, stderr } = await runCli(['sync', 'push', '--with', url], { home, env })
  expect(code).toBe(7)
  expect(stderr).toContain('hint: Run the same command again: it continues where this one ended.')
  const wrong = { ...env, RELT_PASSWORD: 'wrong' }
  const refused = await runCli(['sync', 'push', '--with', server.url], { home, env: wrong })
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('hint: Sign in: relt auth login') })
})

test('two ends that are one, and credentials that would reach two servers, are refused', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.json'), JSON.stringify({ servers: {} }))
  const run = (argv: string[], env: Record<string, string> = {}) => runCli(argv, { home, env })
  const same = await run(['sync', 'pull', '--local', '--with', 'local'])
  expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('Both ends are this machine.') })
  const secret = { RELT_USERNAME: 'ada', RELT_PASSWORD: 'x' }
  const two = ['sync', 'pull', '--server', 'https://a.example', '--with', 'https://b.example']
  expect(await run(two, secret)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('RELT_USERNAME and RELT_PASSWORD would be sent to both servers.'),
  })
  expect(await run(['sync', 'pull'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--with') })
})

test.each(['push', 'both'])('%s refuses a data folder without a store, and makes none', async (direction) => {
  const home = await makeHome()
  const typo = join(temporaryFolder(), 'typo')
  const result = await runCli(['sync', direction, '--data', typo, '--with', 'local'], { home })
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(`${typo} has no store`) })
  expect(existsSync(typo)).toBe(false)
})

test('two stores of one machine are synced', async () => {
  const [home, other] = [await makeHome(), await makeHome()]
  await inStore(other, (client) => client.call('uploadReport', { body: {}, report: reportAt('2026-08-20', 'one') }))
  const pushed = await runCli(['sync', 'push', '--data', other, '--with', 'local', '--json'], { home })
  expect(JSON.parse(pushed.stdout)).toMatchObject({ success: true, here: other, there: 'this machine' })
  expect(await inStore(home, (client) => client.call('listReports', { query: {} }))).toMatchObject({ total: 1 })
})
