import { beforeEach, expect, test } from 'vitest'
import setVerb from '../../../../src/cli/commands/subs/set.ts'
import { createLocalClient } from '../../../../src/client/local.ts'
import type { RouteAnswer } from '../../../../src/contract/routes.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

let home = ''
const set = (argv: string[]) => runCli(['subs', 'set', ...argv], { home })

beforeEach(async () => {
  home = temporaryFolder()
  await makeSmallCatalog(home)
  await runCli(['subs', 'add', 'argo-cd'], { home })
})

/** As the service has it, whole. */
async function stored() {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  const answer = await client.request({ method: 'GET', path: '/subscriptions' })
  await client.close()
  return (answer as RouteAnswer<'listSubscriptions'>).subscriptions[0]!
}

test.each([
  [
    ['argo-cd', '--email', '--paused'],
    ['argo-cd', { email: true, paused: true }],
  ],
  [
    ['1', '--no-email', '--no-paused', '--no-global-webhooks', '--email-frequency', 'per_app'],
    ['1', { email: false, paused: false, globalWebhooks: false, emailFrequency: 'per_app' }],
  ],
  [
    ['--release-types', 'app,pre', '--webhook-release-types=helm', '--global-webhooks'],
    [undefined, { releaseTypes: 'app,pre', webhookReleaseTypes: 'helm', globalWebhooks: true }],
  ],
])('set %j', async (argv, expected) => {
  expect(await parse(setVerb, argv)).toEqual(expected)
})

test('changes what is named, and nothing else', async () => {
  const before = await stored()
  const argv = '--no-email --email-frequency weekly --release-types app,pre --webhook-release-types helm'.split(' ')
  await set(['argo-cd', ...argv, '--no-global-webhooks', '--paused'])
  const after = await stored()
  expect(after).toEqual({
    ...before,
    email_enabled: false,
    email_frequency: 'weekly',
    release_types_filter: 'app,pre',
    webhook_release_types: 'helm',
    use_global_webhooks: false,
    notifications_paused: true,
    latest_release: expect.objectContaining({ version: 'v3.6.0-rc1' }),
  })
  await set(['argo-cd', '--email'])
  expect(await stored()).toEqual({ ...after, email_enabled: true })
})

test('prints', async () => {
  const argv = ['subs', 'set', 'argo-cd', '--email-frequency', 'daily', '--paused']
  expect(await printAll(argv, home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    --- stderr
    ✓ Changed email_frequency, notifications_paused of Argo CD
    === --json
    {"success":true}
    "
  `)
})

test.each([
  [[], 'Nothing to change.'],
  [['--release-types', 'app,chart'], 'Invalid parameter(s): release_types_filter'],
])('%j is refused: %s', async (argv, message) => {
  const before = await stored()
  const { code, stdout, stderr } = await set(['argo-cd', ...argv])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`error: ${message}\n`)
  expect(await stored()).toEqual(before)
})
