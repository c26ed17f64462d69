import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import testVerb from '../../../../src/cli/commands/notify/test.ts'
import type { Client } from '../../../../src/client/client.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(async () => {
  await makeSmallCatalog(home)
  const file = join(home, 'webhook')
  writeFileSync(file, 'https://hooks.slack.com/services/T0/B0/secret')
  await runCli(['subs', 'add', 'argo-cd'], { home })
  await runCli(['webhooks', 'set', 'slack', '--project', 'argo-cd', '--secret-file', file], { home })
})

test.each([
  [[], [undefined, {}]],
  [
    ['argo-cd', '--channel', 'slack'],
    ['argo-cd', { channel: 'slack' }],
  ],
])('test %j', async (argv, expected) => {
  expect(await parse(testVerb, argv)).toEqual(expected)
})

test('prints what became of each channel of the subscription', async () => {
  expect(await printAll(['notify', 'test', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    CHANNEL  DELIVERED  STATUS  REASON
    slack    no         -       delivery is not set up on this server
    --- stderr
    error: No test notification was delivered (slack: delivery is not set up on this
    server).
    hint: Change the channel with \`relt webhooks set\` or \`relt subs set\`, or set up
    delivery on the server.
    === 120 columns, pipe
    CHANNEL  DELIVERED  STATUS  REASON
    slack    no         -       delivery is not set up on this server
    --- stderr
    error: No test notification was delivered (slack: delivery is not set up on this server).
    hint: Change the channel with \`relt webhooks set\` or \`relt subs set\`, or set up delivery on the server.
    === --json
    {"success":true,"results":[{"channel":"slack","delivered":false,"http_status":null,"error":"delivery is not set up on this server"}]}
    --- stderr
    {"error":{"code":"relt_not_delivered","message":"No test notification was delivered (slack: delivery is not set up on this server).","hint":"Change the channel with \`relt webhooks set\` or \`relt subs set\`, or set up delivery on the server.","request_id":null}}
    "
  `)
})

test('tests one channel', async () => {
  const { stdout } = await runCli(['notify', 'test', 'argo-cd', '--channel', 'teams', '--json'], { home })
  expect(JSON.parse(stdout).results).toEqual([
    { channel: 'teams', delivered: false, http_status: null, error: 'no teams_webhook is set' },
  ])
})

test('fails when nothing is set up', async () => {
  expect(await runCli(['notify', 'test'], { home })).toMatchObject({ code: 1, stdout: '' })
  expect((await runCli(['notify', 'test'], { home })).stderr).toMatchInlineSnapshot(`
    "No channel is configured: no email address and no webhook.
    error: No test notification was sent.
    hint: Set a webhook of your account: relt webhooks set slack
    "
  `)
})

test('fails when no channel was reached, and says why', async () => {
  const { code, stderr } = await runCli(['notify', 'test', 'argo-cd', '--quiet'], { home })
  expect(code).toBe(1)
  expect(stderr).toMatchInlineSnapshot(`
    "error: No test notification was delivered (slack: delivery is not set up on this server).
    hint: Change the channel with \`relt webhooks set\` or \`relt subs set\`, or set up delivery on the server.
    "
  `)
  expect(await runCli(['notify', 'test', 'argo-cd', '--json'], { home })).toMatchObject({ code: 1 })
})

test.each([
  [[true], 0],
  [[true, false], 1],
  [[false, false], 1],
])('ends by what was delivered: %j', async (delivered, code) => {
  const results = delivered.map((each) => ({
    channel: 'slack',
    delivered: each,
    http_status: each ? 200 : 503,
    error: null,
  }))
  const answering = (client: Client) =>
    ({
      ...client,
      call: async (...args: Parameters<Client['call']>) =>
        args[0] === 'testNotification' ? { success: true, results } : client.call(...args),
    }) as Client
  const ended = await runCli(['notify', 'test'], { home, between: answering })
  expect(ended.code).toBe(code)
  if (code !== 0) expect(ended.stderr).toContain('slack: HTTP status 503')
})
