import { beforeEach, describe, expect, test } from 'vitest'
import { pause as pauseVerb, resume as resumeVerb } from '../../../../src/cli/commands/subs/noun.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

let home = ''
const subs = (line: string) => runCli(['subs', ...line.split(' ')], { home })
beforeEach(async () => {
  home = temporaryFolder()
  await makeSmallCatalog(home)
  await subs('add argo-cd nginx')
})

describe.each([
  ['pause', pauseVerb],
  ['resume', resumeVerb],
])('subs %s', (verb, declared) => {
  test.each([
    [[], []],
    [
      ['argo-cd', '5'],
      ['argo-cd', '5'],
    ],
  ])('%j', async (argv, projects) => {
    expect(await parse(declared, argv)).toEqual([projects])
  })

  test('names what is not subscribed to, and does the others', async () => {
    expect(await subs(`${verb} kubernetes`)).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: You are not subscribed to Kubernetes.\nhint: Subscribe: relt subs add 4\n',
    })
    const { code, stderr } = await subs(`${verb} kubernetes nginx`)
    expect(code).toBe(3)
    expect(stderr).toContain('✓ Notifications about NGINX are')
    expect(stderr).toContain('  kubernetes: You are not subscribed to Kubernetes.\n')
  })
})

test('pauses, twice with the same result', async () => {
  expect(await printAll(['subs', 'pause', 'nginx'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    --- stderr
    ✓ Notifications about NGINX are paused now
    === 120 columns, pipe
    --- stderr
    ✓ Notifications about NGINX are paused already
    === --json
    {"success":true,"results":[{"product_id":5,"name":"NGINX","subscription_id":2,"notifications_paused":true,"changed":false}]}
    "
  `)
})

test('resumes, twice with the same result', async () => {
  await subs('pause nginx argo-cd')
  expect(await printAll(['subs', 'resume', 'nginx'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    --- stderr
    ✓ Notifications about NGINX are on now
    === 120 columns, pipe
    --- stderr
    ✓ Notifications about NGINX are on already
    === --json
    {"success":true,"results":[{"product_id":5,"name":"NGINX","subscription_id":2,"notifications_paused":false,"changed":false}]}
    "
  `)
  const { stdout } = await subs('list --json')
  expect(JSON.parse(stdout).subscriptions).toMatchObject([
    { name: 'Argo CD', notifications_paused: true },
    { name: 'NGINX', notifications_paused: false },
  ])
})
