import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type Answered, answerNamed } from '../../src/mcp/answer.ts'
import type { Ask } from '../../src/mcp/tool.ts'
import { findRegressions } from '../../src/operations/notifications/find-regressions.ts'
import { runCli, testNow } from '../helpers/cli.ts'
import { folderOfFile } from '../helpers/output.ts'
import { makeSmallStore, smallReports } from '../helpers/small-store.ts'
import { openSite } from '../server/site.ts'

const home = folderOfFile()
const daySeconds = 86_400
const afterwards = testNow + 6 * daySeconds
const until = '2026-09-04'

const run = (line: string, options = {}) =>
  runCli(line.split(' '), { home, columns: 120, env: { NO_COLOR: '1' }, ...options })
const file = (name: string) => join(home, name)

/** The new one of the last run, which is critical; the other new or regressed ones are left alone. */
let id: string
let exception: string
beforeAll(async () => {
  await makeSmallStore(home)
  const { items } = JSON.parse((await run('findings list --state new --since 2026-08-30 --json')).stdout)
  id = items[0].fingerprint
  const added = await runCli(
    ['exceptions', 'add', id.slice(0, 12), '--until', 'fri', '--reason', 'Fixed on Friday', '--json'],
    { home },
  )
  exception = JSON.parse(added.stdout).exception_id
})

test('status does not count it, and counts it again on its day', async () => {
  const reasonFor = async (options = {}) =>
    JSON.parse((await run('status --since 2026-08-30 --json', options)).stdout).clusters[0].changes
  expect(await reasonFor()).toMatchObject({
    new_critical: 0,
    new_findings: 0,
    accepted_findings: 1,
    regressed_critical: 1,
  })
  expect(await reasonFor({ now: afterwards })).toMatchObject({ new_critical: 1, new_findings: 1 })
  const back = await run('status', { now: Date.UTC(2026, 8, 5, 8) / 1000 })
  expect(back.stdout.replace(/\s+/g, ' ')).toContain(`No longer accepted since ${until}: SEC014 shop pod/cart-`)
})

test('lists leave it out, say so, and list it as accepted', async () => {
  const open = await run('findings list')
  expect(open.stdout).toMatch(/^4 findings in shop-prod/)
  expect(open.stdout).toContain('+ 1 accepted (state accepted).')
  expect(open.stdout).not.toContain(id.slice(0, 12))
  expect((await run('findings list --state new --since 2026-08-30')).stdout).toContain('+ 1 accepted')
  const accepted = await run('findings list --state accepted', { columns: 200 })
  expect(accepted.stdout).toContain(id.slice(0, 12))
  expect(accepted.stdout).toContain(`accepted until ${until}: Fixed on Friday`)
  for (const more of [
    '--group-by severity',
    '--sort count',
    '--severity critical',
    '--check SEC014',
    '--namespace shop',
  ]) {
    const { findings, looked_at } = JSON.parse((await run(`findings list --json ${more}`)).stdout)
    const all = JSON.parse((await run(`findings list --json ${more}`, { now: afterwards })).stdout)
    expect([more, findings + looked_at.accepted_findings]).toEqual([more, all.findings])
    expect([more, all.looked_at.accepted_findings]).toEqual([more, 0])
  }
})

test('the finding itself says until when, by whom and why', async () => {
  const { stdout } = await run(`findings show ${id}`)
  expect(stdout).toMatch(new RegExp(`Accepted +until ${until} by local: Fixed on Friday`))
  expect(stdout).toMatch(/shop-prod +accepted/)
})

test('comparisons count it apart', async () => {
  const { stdout } = await run('reports compare')
  expect(stdout).toContain('0 new, 2 regressed, 1 resolved, 1 accepted')
  expect((await run('reports compare', { now: afterwards })).stdout).toContain('1 new, 2 regressed')
  expect((await run('reports show')).stdout).toContain('1 of them accepted')
})

test('the gate, its summary and SARIF accept it', async () => {
  const outputs = `--sarif ${file('out.sarif')} --summary ${file('out.md')}`
  const gate = await run(`ci - --fail-on new>=low ${outputs}`, { stdin: JSON.stringify(smallReports[2]) })
  expect(gate.code).toBe(0)
  const { results } = JSON.parse(readFileSync(file('out.sarif'), 'utf8')).runs[0]
  const muted = results.filter((each: { suppressions?: unknown }) => each.suppressions)
  expect(muted).toMatchObject([{ suppressions: [{ kind: 'external', justification: 'Fixed on Friday' }] }])
  expect(readFileSync(file('out.md'), 'utf8')).toContain('0 new, 1 regressed, 2 resolved, 1 accepted')
  const check = await run('gate check --fail-on new>=low')
  expect(check.code).toBe(0)
  expect(check.stdout).toContain('1 excepted by the server')
  expect((await run('gate check --fail-on new>=low', { now: afterwards })).code).toBe(5)
})

test('the HTML report marks it', async () => {
  await run(`reports html --out ${file('report.html')}`)
  const page = readFileSync(file('report.html'), 'utf8')
  expect(page).toContain(`accepted until ${until}: Fixed on Friday`)
  expect(page).toContain('exceptions accept 1 of them')
})

test('metrics and the report of the fleet count it apart', async () => {
  const changed = async (options = {}) => {
    const { stdout } = await run('metrics', options)
    const of = (state: string) => new RegExp(`severity="critical",${state}} (\\d+)`).exec(stdout)?.[1]
    return [of('state="accepted"'), of('change="new"'), of('change="regressed"')]
  }
  const now = testNow - daySeconds
  expect(await changed({ now })).toEqual(['1', '0', '1'])
  expect(await changed({ now: afterwards })).toEqual(['0', '0', '0'])
  await run(`reports html --all --out ${file('fleet.html')}`, { now })
  expect(readFileSync(file('fleet.html'), 'utf8')).toContain('2 (+ 1 accepted)')
})

test('an assistant reads that it is accepted', async () => {
  let answers: Answered[] = []
  const between = (client: Client): Client => ({
    ...client,
    call: async (name, request) => {
      const ask = client.call.bind(client) as Ask
      answers = [
        await answerNamed('list_findings', {}, { ask, now: testNow }),
        await answerNamed('explain_finding', { fingerprint: id }, { ask, now: testNow }),
      ]
      return client.call(name, request)
    },
  })
  await run('subs list', { between })
  expect(answers[0]?.text).toContain('4 findings in 1 run of 1 cluster; exceptions accept 1 more (state accepted).')
  expect(answers[1]?.text).toContain('Accepted in 1 cluster')
  expect(JSON.stringify(answers[1]?.structured)).toContain('Fixed on Friday')
})

test('its exception names it in words, and ends by the id of the finding', async () => {
  const { stdout } = await run('exceptions list', { columns: 160 })
  expect(stdout).toContain('SEC014 shop pod/cart-5d9c7b8f66-k2j4x: Registry of')
  const ended = await run('exceptions list', { now: afterwards })
  expect(ended.stderr).toContain('No exceptions.')
  expect(await run(`exceptions expire ${id.slice(0, 12)}`)).toMatchObject({ code: 0 })
  expect((await run('exceptions list --expired')).stdout).toContain('ended 2026-09-01 by local')
  expect((await run('findings list')).stdout).toMatch(/^5 findings/)
  expect((await run(`exceptions show ${exception}`)).stdout).toContain('expired')
})

test('pages and messages leave it out', async () => {
  const site = await openSite({}, () => {})
  const row = { check: 'SEC002', severity: 'critical', namespace: 'shop', resource: 'pod/api' }
  const old = { check: 'SEC001', severity: 'low', resource: 'pod/old' }
  const common = { cluster: 'shop', score: 70, passed: ['SEC001', 'SEC002'] }
  await site.upload([old], { ...common, generatedAt: '2026-08-30T00:00:00Z' })
  const { body } = await site.upload([old, row], { ...common, generatedAt: '2026-08-31T00:00:00Z' })
  const { headers } = site.ada
  const [cluster] = (await site.call('/clusters', { headers })).body.items
  const owner = await site.db.selectFrom('cluster').select(['id', 'owner_id']).executeTakeFirstOrThrow()
  const event = { ownerId: owner.owner_id, clusterId: owner.id, at: site.clock.now, data: { runId: body.run_id } }
  const store = { db: site.db, vault: () => site.service.vault() }
  expect(await findRegressions(store, [event] as never, site.clock.now)).toHaveLength(1)
  const { items } = (await site.call('/findings?severity=critical', { headers })).body
  const mute = { fingerprint: items[0].fingerprint, reason: 'Known', expires_on: '2099-01-01' }
  const browser = await site.signIn('ada')
  const sent = await site.submit('/exceptions', { ...mute, _wpnonce: browser.nonce }, browser.headers)
  const shown = await site.open(sent.headers.get('location')!, browser)
  expect(shown.body).toContain('Accepted until 2099-01-01.')
  expect(await findRegressions(store, [event] as never, site.clock.now)).toEqual([])
  const toPage = async (path: string) => (await site.open(path, browser)).body
  expect(await toPage('/findings')).toContain('+ 1 accepted (state accepted)')
  expect(await toPage(`/findings/${mute.fingerprint}`)).toContain('Accepted in 1 cluster')
  expect(await toPage(`/runs/${body.run_id}`)).toContain('1 accepted')
  expect(await toPage(`/clusters/${cluster.cluster_id}`)).not.toContain('1 new critical')
})
