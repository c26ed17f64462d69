import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createCommand } from '../../../src/cli/subs/test.ts'
import { runCli } from '../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../helpers/output.ts'
import { makeSmallCatalog } from '../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(async () => {
  await makeSmallCatalog(home)
  const file = join(home, 'webhook')
  writeFileSync(file, 'https://hooks.slack.com/services/T0/B0/secret')
  await runCli(['subs', 'add', 'argo-cd'], { home })
  await runCli(['subs', 'set', 'argo-cd', '--slack-webhook-file', file], { home })
})

test.each([
  [[], [undefined, {}]],
  [
    ['argo-cd', '--channel', 'slack'],
    ['argo-cd', { channel: 'slack' }],
  ],
])('test %j', async (argv, expected) => {
  expect(await parse(createCommand, argv)).toEqual(expected)
})

test('prints what became of each channel of the subscription', async () => {
  expect(await printAll(['subs', 'test', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    CHANNEL  DELIVERED  STATUS  REASON
    slack    no         -       queued: delivery is not set up on this server
    === --json
    {"success":true,"results":[{"channel":"slack","delivered":false,"http_status":null,"error":"queued: delivery is not set up on this server"}]}
    "
  `)
})

test('tests one channel', async () => {
  const { stdout } = await runCli(['subs', 'test', 'argo-cd', '--channel', 'teams', '--json'], { home })
  expect(JSON.parse(stdout).results).toEqual([
    { channel: 'teams', delivered: false, http_status: null, error: 'no teams_webhook is set' },
  ])
})

test('says that nothing is set up', async () => {
  expect(await runCli(['subs', 'test'], { home })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No channel is set up: there is neither an e-mail address nor a webhook.\n',
  })
})
