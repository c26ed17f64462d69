import { beforeEach, describe, expect, test } from 'vitest'
import { add as addVerb, remove as removeVerb } from '../../../../src/cli/commands/subs/noun.ts'
import type { Client } from '../../../../src/client/client.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

let home = ''
beforeEach(async () => {
  home = temporaryFolder()
  await makeSmallCatalog(home)
})

const subs = (line: string, between = (client: Client) => client) =>
  runCli(['subs', ...line.split(' ')], { home, between })

const subscribed = async () => {
  const { stdout } = await subs('list --json')
  return JSON.parse(stdout).subscriptions.map(({ name }: { name: string }) => name)
}

describe.each([
  ['add', addVerb],
  ['remove', removeVerb],
])('subs %s', (_, declared) => {
  test.each([
    [[], []],
    [['argo-cd'], ['argo-cd']],
    [
      ['argo cd', '42', 'nginx'],
      ['argo cd', '42', 'nginx'],
    ],
  ])('%j', async (argv, projects) => {
    expect(await parse(declared, argv)).toEqual([projects])
  })
})

test('add subscribes, and a second time leaves all as it is', async () => {
  expect(await subs('add argo-cd 5')).toEqual({
    code: 0,
    stdout: '',
    stderr: '✓ Subscribed to Argo CD\n✓ Subscribed to NGINX\n',
  })
  await subs('set nginx --paused')
  expect(await subs('add NGINX')).toEqual({ code: 0, stdout: '', stderr: '✓ Already subscribed to NGINX\n' })
  const { stdout } = await subs('list --json')
  expect(JSON.parse(stdout).subscriptions).toMatchObject([
    { name: 'Argo CD', notifications_paused: false },
    { name: 'NGINX', notifications_paused: true },
  ])
})

test('remove ends a subscription, and a second time changes nothing', async () => {
  await subs('add argo-cd nginx')
  expect(await subs('remove argo-cd')).toEqual({ code: 0, stdout: '', stderr: '✓ No longer subscribed to Argo CD\n' })
  expect(await subs('remove 1')).toEqual({ code: 0, stdout: '', stderr: '✓ Was not subscribed to Argo CD\n' })
  expect(await subscribed()).toEqual(['NGINX'])
})

test('add prints', async () => {
  expect(await printAll(['subs', 'add', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    --- stderr
    ✓ Subscribed to Argo CD
    === 120 columns, pipe
    --- stderr
    ✓ Already subscribed to Argo CD
    === --json
    {"success":true,"results":[{"product_id":1,"name":"Argo CD","subscribed":true,"subscription_id":1,"changed":false}]}
    "
  `)
})

test('remove prints', async () => {
  expect(await printAll(['subs', 'remove', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    --- stderr
    ✓ Was not subscribed to Argo CD
    === --json
    {"success":true,"results":[{"product_id":1,"name":"Argo CD","subscribed":false,"subscription_id":null,"changed":false}]}
    "
  `)
})

test('one project named in several ways is one', async () => {
  expect((await subs('add argo-cd 1 argo-cd')).stderr).toBe(
    '✓ Subscribed to Argo CD\n✓ Already subscribed to Argo CD\n',
  )
  expect(await subscribed()).toEqual(['Argo CD'])
})

test('a project that fails keeps none of the others from being done', async () => {
  expect(await subs('add argo-cd nope 99 nginx')).toEqual({
    code: 3,
    stdout: '',
    stderr: `✓ Subscribed to Argo CD
✓ Subscribed to NGINX
error: 2 of 4 failed.
  99: No project with id 99.
  nope: No project named "nope".
`,
  })
  expect(await subscribed()).toEqual(['Argo CD', 'NGINX'])
})

test('with --json what was done and what failed stand apart', async () => {
  const { code, stdout, stderr } = await subs('add argo-cd nope --json')
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toEqual({
    success: true,
    results: [{ product_id: 1, name: 'Argo CD', subscribed: true, subscription_id: 1, changed: true }],
  })
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'rest_no_route',
    message: '1 of 2 failed.',
    params: { nope: 'No project named "nope".' },
  })
})

test('one unknown project is the error itself, also for remove', async () => {
  for (const verb of ['add', 'remove']) {
    expect(await subs(`${verb} nope`)).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: No project named "nope".\nhint: Search for it: relt projects search TEXT\n',
    })
  }
})

test('beyond what the plan allows, add says so and keeps what fits', async () => {
  const env = { RELT_PLAN_LIMITS: 'pro_plus.subscriptions=1' }
  const { code, stderr } = await runCli(['subs', 'add', 'argo-cd', 'nginx'], { home, env })
  expect(code).toBe(4)
  expect(stderr).toContain('  nginx: The Pro Plus plan has a limit of 1 subscriptions.\n')
  expect(await subscribed()).toEqual(['Argo CD'])
})

/** Somebody who toggles the same subscription just before this command does, so many times. */
function meddler(times: number) {
  return ({ call, ...client }: Client): Client => ({
    ...client,
    call: async (name, input) => {
      if (name === 'toggleSubscription' && times-- > 0) await call(name, input)
      return call(name, input)
    },
  })
}

describe('when somebody else is quicker', () => {
  test('add turns back what it turned off', async () => {
    expect(await subs('add argo-cd', meddler(1))).toMatchObject({ code: 0, stderr: '✓ Subscribed to Argo CD\n' })
    expect(await subscribed()).toEqual(['Argo CD'])
  })

  test('remove turns back what it turned on', async () => {
    await subs('add argo-cd')
    expect(await subs('remove argo-cd', meddler(1))).toMatchObject({
      code: 0,
      stderr: '✓ No longer subscribed to Argo CD\n',
    })
    expect(await subscribed()).toEqual([])
  })

  test('it ends, even when they never stop', async () => {
    const always = ({ call, ...client }: Client): Client => ({
      ...client,
      call: async (name, input) => {
        const answer = await call(name, input)
        return name === 'toggleSubscription' ? ({ ...(answer as object), subscribed: false } as typeof answer) : answer
      },
    })
    expect(await subs('add argo-cd', always)).toEqual({
      code: 7,
      stdout: '',
      stderr: 'error: Somebody else changes this subscription at the same time.\nhint: Try again.\n',
    })
  })
})

describe('without a project', () => {
  test('several are chosen on a terminal for add, and one of the own for remove', async () => {
    const added = await talk(
      ['subs', 'add'],
      [
        ['Which project? (type to filter)', 'nginx'],
        ['Web server', '\r'],
        ['Which other project?', 'kubern'],
        ['Runs containers', '\r'],
        ['Done (2 chosen)', '\r'],
      ],
      { home },
    )
    expect(added).toMatchObject({ code: 0, left: [], said: '✓ Subscribed to NGINX\n✓ Subscribed to Kubernetes\n' })
    await subs('remove kubernetes')
    const removed = await talk(['subs', 'remove'], [['NGINX', '\r']], { home })
    expect(removed).toMatchObject({ code: 0, left: [], said: '✓ No longer subscribed to NGINX\n' })
    expect(removed.stderr).not.toContain('Argo')
    expect(await talk(['subs', 'remove'], [], { home })).toMatchObject({
      code: 3,
      stderr: 'error: No subscriptions yet.\nhint: Subscribe: relt subs add PROJECT\n',
    })
  })

  test.each(['add', 'remove', 'set --paused'])('subs %s asks nobody elsewhere', async (line) => {
    expect(await subs(line)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: missing required argument 'project', and there is no terminal for a prompt\nhint: Add --help for help.\n",
    })
  })
})
