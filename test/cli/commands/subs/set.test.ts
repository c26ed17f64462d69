import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import setVerb from '../../../../src/cli/commands/subs/set.ts'
import { createLocalClient } from '../../../../src/client/local.ts'
import { webhookChannels } from '../../../../src/contract/channels.ts'
import type { RouteAnswer } from '../../../../src/contract/routes.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

const secret = 'https://hooks.slack.com/services/T0/B0/secret'
let home = ''
const set = (argv: string[], stdin?: string) =>
  runCli(['subs', 'set', ...argv], { home, ...(stdin !== undefined && { stdin }) })

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
  [
    ['x', '--no-teams-webhook', '--generic-webhook', '--secret-file', '-'],
    ['x', { teamsWebhook: false, genericWebhook: true, secretFile: '-' }],
  ],
  [
    ['x', '--no-slack-webhook', '--teams-webhook', '--no-generic-webhook'],
    ['x', { slackWebhook: false, teamsWebhook: true, genericWebhook: false }],
  ],
])('set %j', async (argv, expected) => {
  expect(await parse(setVerb, argv)).toEqual(expected)
})

test.each(webhookChannels)('$name can be set and removed', async ({ name }) => {
  expect(await parse(setVerb, ['x', `--${name}-webhook`])).toEqual(['x', { [`${name}Webhook`]: true }])
  expect(await parse(setVerb, ['x', `--no-${name}-webhook`])).toEqual(['x', { [`${name}Webhook`]: false }])
})

test('no option takes the address of a webhook itself', async () => {
  await expect(parse(setVerb, [`--slack-webhook=${secret}`])).rejects.toThrow()
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
  const argv = ['subs', 'set', 'argo-cd', '--email-frequency', 'daily', '--no-slack-webhook']
  expect(await printAll(argv, home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    --- stderr
    ✓ Changed email_frequency, slack_webhook of Argo CD
    === --json
    {"success":true}
    "
  `)
})

describe('the address of a webhook', () => {
  test('comes from a file', async () => {
    const file = join(home, 'webhook')
    writeFileSync(file, `${secret}\r\nmore\n`)
    expect(await set(['argo-cd', '--slack-webhook', '--secret-file', file])).toEqual({
      code: 0,
      stdout: '',
      stderr: '✓ Changed slack_webhook of Argo CD\n',
    })
    expect((await stored()).slack_webhook).toBe(secret)
  })

  test('comes from standard input, and goes again', async () => {
    await set(['argo-cd', '--generic-webhook', '--secret-file', '-'], `${secret}\n`)
    expect(await stored()).toMatchObject({ generic_webhook: secret, webhook_url: secret, teams_webhook: null })
    await set(['argo-cd', '--no-generic-webhook'])
    expect((await stored()).generic_webhook).toBe(null)
  })

  test('is asked for on a terminal, and not shown', async () => {
    const asked: [string, string][] = [['URL of the teams webhook', `${secret}\r`]]
    const { code, left, stdout, stderr } = await talk(['subs', 'set', 'argo-cd', '--teams-webhook'], asked, { home })
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(stdout + stderr).not.toContain('hooks.slack.com')
    expect((await stored()).teams_webhook).toBe(secret)
  })

  test.each([
    [['--slack-webhook', '--secret-file', '-'], '', 'Standard input contains no URL of the slack webhook.'],
    [['--slack-webhook', '--secret-file', '/no/such'], '', '/no/such cannot be read: no such file.'],
    [
      ['--slack-webhook', '--teams-webhook', '--secret-file', '-'],
      secret,
      '--secret-file needs exactly one webhook to set.',
    ],
    [['--slack-webhook'], '', 'There is no terminal to ask for the URL of the slack webhook.'],
    [['--slack-webhook', '--secret-file', '-'], `javascript:${secret}`, 'Invalid parameter(s): slack_webhook'],
    [[], '', 'Nothing to change.'],
    [['--release-types', 'app,chart'], '', 'Invalid parameter(s): release_types_filter'],
  ])('with %j and %j is refused: %s', async (argv, stdin, message) => {
    const before = await stored()
    const { code, stdout, stderr } = await set(['argo-cd', ...argv], stdin)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`error: ${message}\n`)
    expect(stderr).not.toContain(secret)
    expect(await stored()).toEqual(before)
  })
})
