import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Comparison } from '../../src/contract/cluster-report.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { nativeReportFile, readReportFile, type TestItem, type TestReport } from '../helpers/report.ts'

const text = readFileSync(nativeReportFile, 'utf8')

async function upload(home: string, report: TestReport | string, ...options: string[]) {
  const stdin = typeof report === 'string' ? report : JSON.stringify(report)
  const { code, stdout, stderr } = await runCli(['reports', 'upload', '-', '--json', ...options], { home, stdin })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function json(home: string, ...argv: string[]) {
  const { stdout, stderr } = await runCli([...argv, '--json'], { home })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** Two reports, one after the other; counts of the comparison, and what it says of the scope. */
async function compare(...reports: (TestReport | string)[]) {
  const home = temporaryFolder()
  for (const report of reports) await upload(home, report)
  return counts(await json(home, 'reports', 'compare'))
}

function counts(compared: Comparison) {
  return {
    new: compared.new_findings_count,
    resolved: compared.resolved_findings_count,
    regressed: compared.regressed_findings_count,
    unchanged: compared.unchanged_findings_count,
    incomparable: compared.incomparable_findings_count,
  }
}

const none = { new: 0, resolved: 0, regressed: 0, incomparable: 0 }

const toItems = ({ Items }: TestReport['checks'][string]): TestItem[] =>
  Items === null || Items === undefined ? [] : Array.isArray(Items) ? Items : [Items]

/** The report with another list of items for each failed check, and another time. */
function rewrite(minutesLater: number, change: (items: TestItem[], id: string) => TestItem[] | undefined): TestReport {
  const report = readReportFile(nativeReportFile)
  report.metadata.generatedAt = new Date(Date.UTC(2026, 3, 15, 11, minutesLater)).toISOString()
  for (const [id, check] of Object.entries(report.checks)) {
    if (check.Total === 0) continue
    const items = change(toItems(check), id)
    if (items === undefined) delete report.checks[id]
    else Object.assign(check, { Items: items, Total: items.length })
  }
  return report
}

/** Every pod gets another ReplicaSet hash and another suffix, the same in all places. */
function rollOut(report: string): string {
  const safe = 'bcdfghjklmnpqrstvwxz2456789'
  const pods = new RegExp(`(?<=[a-z0-9])-([${safe}]{8,10})-([${safe}]{5})\\b`, 'g')
  const shifted = (hash: string) => [...hash].map((letter) => safe[(safe.indexOf(letter) + 7) % safe.length]).join('')
  const rolled = report.replace(pods, (_, set: string, pod: string) => `-${shifted(set)}-${shifted(pod)}`)
  return rolled.replace('"2026-04-15T10:21:11Z"', '"2026-04-16T10:21:11Z"')
}

test('a report of the scanner is stored with its numbers, and given back as it was', async () => {
  const home = temporaryFolder()
  const { code, stdout } = await runCli(['reports', 'upload', nativeReportFile, '--json'], { home })
  expect(code).toBe(0)
  const { run_id } = JSON.parse(stdout)
  expect(await json(home, 'reports', 'show', run_id)).toMatchObject({
    run_id,
    cluster_name: 'aks-181225-test-uks',
    environment: 'prod',
    kubernetes_version: 'v1.33.6',
    score: 80,
    total_checks: 141,
    failed_checks: 40,
    passed_checks: 99,
    not_run_checks: 2,
    findings: { total: 107, critical: 40, high: 5, medium: 55, low: 1, info: 6 },
    finished_at: '2026-04-15 10:21:11',
    processing_status: 'ready',
  })
  expect((await json(home, 'reports', 'show', run_id, '--report')).report).toEqual(JSON.parse(text))
})

test('the same file again is the same run', async () => {
  const home = temporaryFolder()
  const first = await upload(home, text)
  expect(first).not.toHaveProperty('duplicate')
  expect(await upload(home, text)).toMatchObject({ run_id: first.run_id, duplicate: true })
  expect(await upload(home, `\ufeff${text}`)).toMatchObject({ run_id: first.run_id, duplicate: true })
  expect(await json(home, 'reports', 'list')).toMatchObject({ total: 1, items: [{ run_id: first.run_id }] })
})

test('the same report inside an upload body is the same run', async () => {
  const home = temporaryFolder()
  const first = await upload(home, text)
  const body = `{"environment":"prod","report":${text}}`
  expect(await upload(home, body)).toMatchObject({ run_id: first.run_id, duplicate: true })
})

test('the same file for another cluster or environment is another run', async () => {
  const home = temporaryFolder()
  const first = await upload(home, text)
  const staging = await upload(home, text, '--environment', 'staging')
  const other = await upload(home, text, '--cluster', 'other')
  expect(new Set([first, staging, other].map(({ run_id }) => run_id)).size).toBe(3)
  expect((await json(home, 'reports', 'list', '--environment', 'prod', '--cluster', 'aks-181225-test-uks')).total).toBe(
    1,
  )
})

test('a rollout changes nothing', async () => {
  const rolled = rollOut(text)
  for (const { Resource = '' } of Object.values(readReportFile(nativeReportFile).checks).flatMap(toItems)) {
    if (/^pod\//i.test(Resource)) expect(rolled).not.toContain(Resource)
  }
  expect(await compare(text, rolled)).toMatchObject(none)
})

test('times and counts of events change nothing', async () => {
  const later = rewrite(0, (items, id) =>
    id.startsWith('EVENT') ? items.map((item) => ({ ...item, Count: 4711, Timestamp: '2026-04-15T10:59:59Z' })) : items,
  )
  expect(await compare(text, later)).toMatchObject(none)
})

const narrower = rewrite(1, (items) => items.filter((item) => item.Namespace !== 'azure-store'))
narrower.metadata.excludedNamespaces = [...(narrower.metadata.excludedNamespaces as string[]), 'azure-store']
for (const [id, check] of Object.entries(narrower.checks)) {
  // What failed in that namespace only passes now.
  if (check.Total === 0) narrower.checks[id] = { ...check, Items: null }
}
const laterNative = rewrite(2, (items) => items)

test('findings of a namespace that is no longer scanned are not resolved', async () => {
  const { unchanged, incomparable, ...others } = await compare(text, narrower)
  expect(others).toEqual({ new: 0, resolved: 0, regressed: 0 })
  expect(incomparable).toBeGreaterThan(60)
  expect(unchanged + incomparable).toBe((await compare(text, laterNative)).unchanged)
})

test('findings of a namespace that is scanned again are not new', async () => {
  const { unchanged, incomparable, ...others } = await compare(narrower, laterNative)
  expect(others).toEqual({ new: 0, resolved: 0, regressed: 0 })
  expect(incomparable).toBeGreaterThan(60)
  expect(unchanged + incomparable).toBe((await compare(text, laterNative)).unchanged)
})

test('a difference in scope is told with the namespace', async () => {
  const home = temporaryFolder()
  await upload(home, text)
  await upload(home, narrower)
  expect((await json(home, 'reports', 'compare')).scope_changes).toEqual({
    namespaces_excluded: ['azure-store'],
    namespaces_included: [],
    checks_removed: [],
    checks_added: [],
  })
})

test.each(['from', 'to'] as const)('findings of a check that only the %s report has are incomparable', async (side) => {
  const without = rewrite(1, (items, id) => (id === 'SEC003' ? undefined : items))
  const reports = side === 'from' ? [text, without] : [without, laterNative]
  const home = temporaryFolder()
  for (const report of reports) await upload(home, report)
  const compared: Comparison = await json(home, 'reports', 'compare')
  expect(counts(compared)).toMatchObject({ ...none, incomparable: expect.any(Number) })
  expect(compared.incomparable_findings_count).toBeGreaterThan(3)
  expect(compared.scope_changes).toMatchObject({
    checks_removed: side === 'from' ? ['SEC003'] : [],
    checks_added: side === 'from' ? [] : ['SEC003'],
  })
})

test('a finding that comes back is regressed, one never seen is new', async () => {
  const home = temporaryFolder()
  const isStoreFront = (item: TestItem) => item.Resource === 'service/store-front'
  const neverSeen = { Namespace: 'default', Resource: 'service/never-seen', Message: 'No endpoints' }
  await upload(home, text)
  await upload(
    home,
    rewrite(1, (items, id) => (id === 'NET001' ? items.filter((item) => !isStoreFront(item)) : items)),
  )
  await upload(
    home,
    rewrite(2, (items, id) => (id === 'NET001' ? [...items, neverSeen] : items)),
  )
  const gone: Comparison = await json(home, 'reports', 'compare', '--to', await runIdAt(home, 1))
  expect(gone.resolved_findings).toMatchObject([{ check_id: 'NET001', resource: 'service/store-front' }])
  const back: Comparison = await json(home, 'reports', 'compare')
  expect(counts(back)).toMatchObject({ new: 1, regressed: 1, resolved: 0, incomparable: 0 })
  expect(back.regressed_findings).toMatchObject([{ check_id: 'NET001', resource: 'service/store-front' }])
  expect(back.new_findings).toMatchObject([{ check_id: 'NET001', resource: 'service/never-seen' }])
})

test('reports that come in the wrong order are compared in the order of their scans', async () => {
  const home = temporaryFolder()
  const withOne = rewrite(1, (items, id) => (id === 'NET001' ? items.slice(0, 1) : items))
  await upload(home, laterNative)
  await upload(home, withOne)
  expect(counts(await json(home, 'reports', 'compare'))).toMatchObject({ new: 3, resolved: 0 })
  await upload(home, text)
  expect(counts(await json(home, 'reports', 'compare'))).toMatchObject({ new: 0, regressed: 3 })
})

async function runIdAt(home: string, index: number): Promise<string> {
  return (await json(home, 'reports', 'list')).items[index].run_id
}
