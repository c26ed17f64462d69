import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { reportAt } from '../helpers/copy-world.ts'
import { createKey } from '../helpers/create-key.ts'
import { scan } from '../reports/scan.ts'
import { openServerWithUser } from './open.ts'

/** Ada owns the team platform, which is her default one; Grace is a viewer. */
async function openTeam() {
  const { server, password, home } = await openServerWithUser()
  const store = { env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow }
  const admin = await openAdmin(store)
  const teams = await admin.teams()
  await teams.create('platform', 'ada')
  await admin.addUser({ login: 'grace', role: 'user', plan: 'pro' })
  await teams.addMember('platform', 'grace', { role: 'viewer' })
  const grace = await createKey(store, 'grace')
  await teams.setEmail('platform', 'platform@shop.example')
  await expect(teams.setEmail('platform', 'no address')).rejects.toThrow('email')
  expect((await admin.listUsers()).map(({ login }) => login).join()).not.toContain('platform')
  await expect(admin.setEmail('team/platform', 'x@shop.example')).rejects.toThrow('No user')
  await admin.close()
  const folder = temporaryFolder()
  const runAs =
    (username: string, secret: string) =>
    (argv: string, stdin?: string, env: object = {}) =>
      runCli(argv.split(' '), {
        home: temporaryFolder(),
        env: { RELT_SERVER: server.url, RELT_USERNAME: username, RELT_PASSWORD: secret, ...env },
        ...(stdin !== undefined && { stdin }),
      })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return { ada: runAs('ada', password), grace: runAs('grace', grace), file, url: server.url, password }
}

const slack = 'https://hooks.slack.com/services/T0/B0/very-secret'

test('verbs with --team are about the team, and without it about the own account', async () => {
  const { ada, grace, file } = await openTeam()
  const url = file('url.txt', `${slack}\n`)
  const set = await ada('teams set --quiet-hours 22:00-07:00')
  expect(set).toMatchObject({ code: 0, stderr: '✓ Changed quiet_hours of team platform\n' })
  expect(await ada(`webhooks set slack --team platform --secret-file ${url}`)).toMatchObject({
    code: 0,
    stderr: '✓ Set the slack webhook of team platform\n',
  })
  expect((await ada('teams set')).code).toBe(2)
  expect((await ada('subs add argo-cd --team platform')).code).toBe(0)
  expect((await ada('subs add nginx')).code).toBe(0)
  const shown = await grace('teams show')
  expect(shown.stdout).toMatch(/Channels +slack https:\/\/hooks\.slack\.com/)
  expect(shown.stdout).toMatch(/Email +platform@shop\.example[\s\S]*Follows +1 project[\s\S]*Quiet hours +22:00-07:00/)
  expect(shown.stdout).not.toContain('secret')
  const names = async (argv: string, run = ada) =>
    JSON.parse((await run(argv)).stdout).subscriptions.map((each: { name: string }) => each.name)
  expect(await names('subs list --json')).toEqual(['NGINX'])
  expect(await names('subs list --json --team platform', grace)).toEqual(['Argo CD'])
  expect(await names('subs list --json', grace)).toEqual([])
  expect((await ada('webhooks list --json')).stdout).toContain('"items":[]')
  expect((await ada('webhooks list --team platform')).stdout).toMatch(
    /^team platform +slack +https:\/\/hooks\.slack\.com/m,
  )
  expect((await ada('webhooks list')).stderr).toBe('No webhooks yet. Set one: relt webhooks set slack\n')
  expect((await ada('teams subs -o csv')).stdout).toMatch(/Argo CD,the team\n(.*\n)?NGINX,ada/)
  expect((await ada('projects show argo-cd')).stdout).toMatch(/Followed by +the team/)
  for (const argv of ['subs add kubernetes --team platform', 'webhooks set slack --remove --team platform']) {
    expect(await grace(argv)).toMatchObject({ code: 4, stderr: expect.stringContaining('This needs the role member') })
  }
  expect((await grace('teams set --no-quiet-hours')).code).toBe(4)
})

test('a file of a team sets it up, and applies once', async () => {
  const { ada, grace, file } = await openTeam()
  const wanted = file(
    'relt.yaml',
    `team: platform
account: { slack_webhook: "${slack}", digest_hour: 6 }
subscriptions: [{ project: argo-cd, email_frequency: weekly }]
owners:
  - { owner: payments, namespace: pay-* }
gate: # of each pipeline
  fail_on: ['findings>=high>99']
`,
  )
  expect((await ada(`apply --dry-run -f ${wanted}`)).stdout).toMatch(
    /\+ owners rules\n {4}rule: payments: namespace pay-\*/,
  )
  const applied = JSON.parse((await ada(`apply -f ${wanted} --json`)).stdout)
  expect(applied).toMatchObject({ success: true, applied: 4 })
  expect((await ada(`apply -f ${wanted}`)).stderr).toContain('No changes')
  expect((await grace(`apply -f ${wanted}`)).stderr).toContain('No changes')
  expect((await ada('subs list --json')).stdout).toContain('"subscriptions":[]')
  expect((await ada(`apply -f ${wanted} --team me`)).stderr).toContain('The file is for team platform')
  const exported = await ada('export --team platform')
  expect(exported.stdout).toMatch(/team: platform\n[\s\S]*digest_hour: 6[\s\S]*owner: payments/)
  expect(exported.stdout).toContain("gate: # of each pipeline\n  fail_on: ['findings>=high>99']\n")
  expect(JSON.parse((await ada('export --team platform --json')).stdout)).toMatchObject({
    team: 'platform',
    gate: { fail_on: ['findings>=high>99'] },
  })
  expect((await ada('export --json')).stdout).not.toContain('fail_on')
  const again = await ada(`apply -f ${file('again.yaml', exported.stdout)}`, undefined, { RELT_SLACK_WEBHOOK: slack })
  expect(again.stderr).toContain('No changes')
  expect(exported.stdout).not.toContain('very-secret')
  const changed = file(
    'changed.yaml',
    'team: platform\nowners: [{ owner: shop }, { owner: payments, namespace: pay-* }]',
  )
  expect((await grace(`apply -f ${changed}`)).code).toBe(4)
  expect((await ada(`apply -f ${changed}`)).stdout).toContain('rule: shop: everything')
})

test('a gate without rules uses the policy of the team', async () => {
  const { ada, grace, file } = await openTeam()
  const rows = [{ check: 'SEC001', severity: 'critical' }]
  const report = file('report.json', JSON.stringify(scan(rows, { cluster: 'shop' })))
  expect((await ada(`reports upload ${report}`)).code).toBe(0)
  const without = await grace(`reports upload ${report} --gate`)
  expect(without.stderr).toContain('The gate has no rules.')
  const policy = file('policy.yaml', "gate:\n  fail_on: ['findings>=high>0']\n")
  expect((await ada(`teams set --gate-policy ${policy}`)).stderr).toContain('Changed gate_policy of team platform')
  expect((await grace(`teams set --gate-policy ${policy}`)).code).toBe(4)
  const broken = file('broken.yaml', "gate:\n  fail_on: ['worse']\n")
  expect(await ada(`teams set --gate-policy ${broken}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a rule'),
  })
  const checked = await ada('gate check --cluster shop')
  expect(checked).toMatchObject({ code: 5, stdout: expect.stringContaining('findings>=high>0') })
  const exception = file(
    'exceptions.yaml',
    'gate:\n  exceptions: [{ check: SEC001, reason: Known, expires: 2099-01-01 }]\n',
  )
  const excepted = await ada(`gate check --cluster shop --policy ${exception}`)
  expect(excepted).toMatchObject({ code: 0, stdout: expect.stringContaining('1 excepted') })
  expect((await ada('gate check --cluster shop --fail-on findings>=high>5')).code).toBe(0)
  expect((await ada('teams set --no-gate-policy')).code).toBe(0)
  expect((await ada('teams show')).stdout).toMatch(/Gate policy +none/)
})

test('reports of one team are copied to a team of the other server', async () => {
  const [one, other] = [await openTeam(), await openTeam()]
  const home = await signedIn(one, other)
  const file = join(home, 'report.json')
  writeFileSync(file, reportAt('2026-08-20', 'one'))
  expect((await one.ada(`reports upload ${file} --team platform`)).code).toBe(0)
  const argv = 'reports copy --server one --to other --team platform --to-team platform --json'.split(' ')
  expect(JSON.parse((await runCli(argv, { home })).stdout).items).toMatchObject([{ state: 'copied' }])
  const total = async (argv: string) => JSON.parse((await other.ada(argv)).stdout).total
  expect(await total('reports list --json --team platform')).toBe(1)
  expect(await total('reports list --json --team me')).toBe(0)
  const local = await one.ada('reports copy --to local --to-team platform')
  expect(local).toMatchObject({ code: 2, stderr: expect.stringContaining('--to-team needs a server') })
})

async function signedIn(...ends: { url: string; password: string }[]): Promise<string> {
  const home = temporaryFolder()
  for (const [index, { url, password }] of ends.entries()) {
    const argv = [
      'auth',
      'login',
      url,
      '--name',
      index === 0 ? 'one' : 'other',
      '--username',
      'ada',
      '--secret-file',
      '-',
    ]
    expect(await runCli(argv, { home, stdin: password })).toMatchObject({ code: 0 })
  }
  return home
}
