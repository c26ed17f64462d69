import { expect, test } from 'vitest'
import type { RouteName } from '../../src/contract/routes.ts'
import { agentsPage } from '../../src/html/pages/agents.ts'
import { clusterPage } from '../../src/html/pages/cluster.ts'
import { clustersPage } from '../../src/html/pages/clusters.ts'
import { comparePage } from '../../src/html/pages/compare.ts'
import { freshnessPage } from '../../src/html/pages/freshness.ts'
import { impactPage } from '../../src/html/pages/impact.ts'
import { projectPage } from '../../src/html/pages/projects.ts'
import { runPage } from '../../src/html/pages/run.ts'
import { trendsPage } from '../../src/html/pages/trends.ts'
import { View, type WebPage } from '../../src/html/pages/view.ts'
import { countItems } from '../../src/views/freshness-counts.ts'
import { exampleFor } from '../helpers/examples/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: parts of answers of several routes
type Answer = any

const listing = (item: unknown) => ({ items: [item], summary: countItems([item as never]) })
const answerFor = (name: RouteName): Answer => structuredClone(exampleFor(name).answer)
const viewer = { login: 'ada', isPro: true, nonce: undefined, isReadOnly: false, team: null, teams: [] }

type Answers = Partial<Record<RouteName, Answer>>

async function toBody(page: WebPage, answers: Answers, query: Record<string, string> = {}): Promise<string> {
  const view = new View({ path: page.path, query, viewer, now: Date.UTC(2026, 10, 22) / 1000 })
  const call = async (name: RouteName) => answers[name] ?? answerFor(name)
  const params = { run_id: 'crun_1', cluster_id: 'clus_1', id: '7' }
  const { body } = await page.show({ params, query, view, call: call as never })
  return String(body)
}

/** The kind of the first thing that a page says. */
async function verdictFor(...asked: Parameters<typeof toBody>): Promise<string | undefined> {
  return /class="verdict (\w*)"/.exec(await toBody(...asked))?.[1]
}

function calmCluster(): Answer {
  const cluster = answerFor('getCluster')
  const { freshness, changes } = cluster
  for (const counts of [freshness, changes]) {
    for (const [name, value] of Object.entries(counts)) if (typeof value === 'number') counts[name] = 0
  }
  Object.assign(freshness, { artifacts: 4, known: 4 })
  return { ...cluster, gate: { ...cluster.gate, verdict: 'passed' }, attention: [] }
}

const clusterUnknowns: [string, (cluster: Answer) => void][] = [
  ['no gate has judged it', (cluster) => Object.assign(cluster, { gate: null })],
  ['its figures are not made', (cluster) => Object.assign(cluster, { has_figures: false })],
  ['an artifact is unknown', ({ freshness }) => Object.assign(freshness, { known: 3 })],
  ['no run says what runs', ({ freshness }) => Object.assign(freshness, { artifacts: 0, known: 0 })],
  ['the catalog has changed', ({ freshness }) => Object.assign(freshness, { is_current: false })],
  ['the facts are over 90 days old', ({ freshness }) => Object.assign(freshness, { catalog_date: '2026-08-01' })],
  ['the day of the facts is unknown', ({ freshness }) => Object.assign(freshness, { catalog_date: undefined })],
  ['the scan looked at nothing', ({ latest_run }) => Object.assign(latest_run, { is_empty: true })],
]

const fleetFor = (...items: Answer[]) => ({
  ...{ page: 1, per_page: 50, total: items.length, total_pages: 1, items },
  summary: { clusters: items.length, needs_attention: 0, pending: 0, attention: {} },
})

test('a cluster and the list of clusters are green where everything is known', async () => {
  expect(await verdictFor(clusterPage, { getCluster: calmCluster() })).toBe('passed')
  expect(await verdictFor(clustersPage, { listClusters: fleetFor(calmCluster(), calmCluster()) })).toBe('passed')
})

test.each(clusterUnknowns)('neither is green when %s', async (_, change) => {
  const cluster = calmCluster()
  change(cluster)
  expect(await verdictFor(clusterPage, { getCluster: cluster })).toBe('undecided')
  expect(await verdictFor(clustersPage, { listClusters: fleetFor(calmCluster(), cluster) })).toBe('undecided')
})

test('versions of a project name an old catalog', async () => {
  const listClusterVersions = { ...answerFor('listClusterVersions'), unknown: [], catalog_date: '2026-08-01' }
  expect(await toBody(projectPage, { listClusterVersions })).toContain('Facts are up to 113 days old')
  expect(await verdictFor(projectPage, { listClusterVersions })).toBe('undecided')
})

test.each([
  ['none is newer', { is_eol: false }],
  ['no supported release is known', { is_eol: true }],
])('the next safe step of the newest release is: %s', async (step, support) => {
  const found = answerFor('reportFreshness')
  const item = found.items[0]
  const eol = { ...item.eol, ...support }
  found.items = [{ ...item, status: 'up_to_date', advisories_count: 0, managed_by: null, eol }]
  expect(await toBody(freshnessPage, { reportFreshness: found })).toContain(`>${step}<`)
})

test('the list is not green for clusters on its other pages', async () => {
  const fleet = fleetFor(calmCluster())
  fleet.summary.clusters = 2
  expect(await verdictFor(clustersPage, { listClusters: fleet })).toBe('undecided')
})

function calmComparison(): Answer {
  const found = answerFor('compareReports')
  for (const run of [found.from, found.to]) Object.assign(run, { not_run_checks: 0, is_empty: false })
  return {
    ...found,
    ...{ new_findings: [], regressed_findings: [], incomparable_findings: [] },
    ...{ new_findings_count: 0, regressed_findings_count: 0, incomparable_findings_count: 0 },
    risk_paths: { opened: [], closed: [], incomparable: [] },
  }
}

test.each<[string, string, (found: Answer) => void]>([
  ['passed', 'all is compared', () => {}],
  ['undecided', 'a check did not run', ({ to }) => Object.assign(to, { not_run_checks: 1 })],
  ['undecided', 'a check did not run before', ({ from }) => Object.assign(from, { not_run_checks: 1 })],
  ['undecided', 'the number of such checks is unknown', ({ to }) => Object.assign(to, { not_run_checks: undefined })],
  ['undecided', 'the scan looked at nothing', ({ to }) => Object.assign(to, { is_empty: true })],
  ['undecided', 'a finding is not comparable', (found) => Object.assign(found, { incomparable_findings_count: 1 })],
  ['undecided', 'it is of two clusters', ({ from }) => Object.assign(from, { cluster_name: 'other' })],
  ['failed', 'a finding is new', (found) => Object.assign(found, { new_findings_count: 1 })],
  ['failed', 'a risk path opened', ({ risk_paths }) => risk_paths.opened.push({ id: 'a', name: 'a', kind: 'direct' })],
])('a comparison is %s when %s', async (verdict, _, change) => {
  const found = calmComparison()
  change(found)
  expect(await verdictFor(comparePage, { compareReports: found })).toBe(verdict)
})

test('a comparison tells checks that did not run in both scans once', async () => {
  const found = calmComparison()
  const [a, b, c] = ['A', 'B', 'C'].map((check_id) => ({ check_id, name: check_id, reason: 'forbidden' }))
  Object.assign(found.from, { not_run_checks: 2, checks_not_run: [a, b] })
  Object.assign(found.to, { not_run_checks: 3, checks_not_run: [b, c, a] })
  const body = await toBody(comparePage, { compareReports: found })
  expect(body).toContain('2 checks did not run in either scan. 1 check did not run in the later scan.')
  expect(body).not.toContain('in the earlier scan')
})

test('a comparison of two clusters names differences, not new findings', async () => {
  const found = Object.assign(calmComparison(), { new_findings_count: 2, resolved_findings_count: 1 })
  Object.assign(found.from, { cluster_name: 'edge', environment: 'test' })
  Object.assign(found.to, { cluster_name: 'shop', environment: 'prod' })
  const body = (await toBody(comparePage, { compareReports: found })).replace(/<[^>]*>/g, '')
  expect(body).toContain('Differences between edge (test) and shop (prod)')
  expect(body).toContain('2 findings only in shop (prod), 1 only in edge (test)')
})

test.each<[string, string, string]>([
  ['stated', 'an agent reported 29 minutes ago', '2026-11-21 23:31:00'],
  ['undecided', 'it did not report for 31 minutes', '2026-11-21 23:29:00'],
])('agents are "%s" when %s', async (verdict, _, last_seen_at) => {
  const found = answerFor('listAgents')
  const [agent] = found.items
  const [job] = agent.jobs
  const done = { ...job, last_outcome: 'done', next_at: last_seen_at }
  const listAgents = { items: [{ ...agent, last_seen_at, jobs: [done] }], silent_clusters: [] }
  expect(await verdictFor(agentsPage, { listAgents })).toBe(verdict)
  expect((await toBody(agentsPage, { listAgents })).includes('was due')).toBe(verdict !== 'stated')
})

test.each<[string, number | undefined]>([
  ['passed', 1],
  ['undecided', 0],
  ['undecided', undefined],
])('artifacts are %s when %s of one could be compared with advisories', async (verdict, advisories_known) => {
  const found = answerFor('reportFreshness')
  const [item] = found.items
  const current = { ...item, status: 'up_to_date', advisories_count: 0, eol: null }
  const coverage = { ...found.coverage, artifacts: 1, known: 1, advisories_known }
  expect(await verdictFor(freshnessPage, { reportFreshness: { ...found, ...listing(current), coverage } })).toBe(
    verdict,
  )
})

test.each([
  ['passed', '2026-08-24'],
  ['undecided', '2026-08-23'],
])('artifacts, and no impact, are %s with a catalog of %s', async (verdict, day) => {
  const freshness = answerFor('reportFreshness')
  const current = { ...freshness.items[0], status: 'up_to_date', advisories_count: 0, eol: null }
  const coverage = { ...freshness.coverage, artifacts: 1, known: 1, advisories_known: 1, catalog_at: day }
  const reportFreshness = { ...freshness, ...listing(current), coverage }
  expect(await verdictFor(freshnessPage, { reportFreshness })).toBe(verdict)
  const impact = answerFor('getImpact')
  const summary = { ...impact.summary, clusters_seen: 1, clusters: 0, artifacts: 0 }
  const getImpact = { ...impact, catalog_date: day, summary, items: [], coverage }
  expect(await verdictFor(impactPage, { getImpact })).toBe(verdict)
})

test.each<[string, object]>([
  ['passed', { known: 2, advisories_known: 2 }],
  ['undecided', { known: 1, advisories_known: 1 }],
  ['undecided', { known: 2, advisories_known: 1 }],
  ['undecided', { artifacts: 0, known: 0, advisories_known: 0 }],
])('no impact is %s with %j of two artifacts', async (verdict, known) => {
  const found = answerFor('getImpact')
  const summary = { ...found.summary, clusters_seen: 1, clusters: 0, artifacts: 0 }
  const coverage = { ...found.coverage, artifacts: 2, ...known }
  expect(await verdictFor(impactPage, { getImpact: { ...found, summary, items: [], coverage } })).toBe(verdict)
})

test.each<[string, object]>([
  ['passed', {}],
  ['failed', { advisories_count: 1 }],
  ['undecided', { advisories_count: null }],
  ['failed', { eol: { cycle: '1', date: '2026-01-01', is_eol: true } }],
  ['failed', { status: 'minor_behind' }],
  ['undecided', { status: 'unknown' }],
])('one artifact is %s with %j', async (verdict, more) => {
  const found = answerFor('reportFreshness')
  const item = { ...found.items[0], status: 'up_to_date', advisories_count: 0, advisories: [], eol: null, ...more }
  const { artifact_key: artifact } = item
  expect(await verdictFor(freshnessPage, { reportFreshness: { ...found, ...listing(item) } }, { artifact })).toBe(
    verdict,
  )
})

test.each<[string, object]>([
  ['passed', { not_run_checks: 0, is_empty: false }],
  ['undecided', { not_run_checks: 1, is_empty: false }],
  ['undecided', { not_run_checks: undefined, is_empty: false }],
  ['undecided', { not_run_checks: 0, is_empty: true }],
])('a run that passed its gate is %s with %j', async (verdict, more) => {
  const gate = { verdict: 'passed', at: '2026-11-21 10:00:00', limits: { let_pass: 0, exceptions_end: null } }
  expect(await verdictFor(runPage, { getReport: { ...answerFor('getReport'), ...more, gate } })).toBe(verdict)
})

const passedRule = {
  rule: 'eol',
  verdict: 'passed',
  reason: '0 artifacts past the end of life',
  excepted: 1,
  allowed_unknown: false,
}
const usedException = { source: 'relt.yaml:3', reason: 'accepted', expires: '2026-11-22', matched: 1 }

test.each<[string, string, object, object]>([
  ['passed', '', {}, {}],
  ['undecided', '1 exception that it used has ended since.', {}, { expires: '2026-11-21' }],
  ['passed', '', { scanned: '2026-10-23' }, {}],
  ['undecided', 'The scan is 31 days old.', { scanned: '2026-10-22' }, {}],
  ['undecided', 'The policy let 1 rule pass that it cannot decide.', { allowed_unknown: true }, {}],
])(
  'a run that passed its gate is %s: %s',
  async (verdict, why, { scanned = '2026-11-20', ...rule }: { scanned?: string }, exception) => {
    const at = '2026-11-21 10:00:00'
    const policy = { name: 'relt.yaml', digest: 'a'.repeat(64) }
    const rules = [{ ...passedRule, ...rule }]
    const policies = [
      { verdict: 'passed', at, by: 'ada', policy, rules, exceptions: [{ ...usedException, ...exception }] },
    ]
    const finished_at = `${scanned} 00:00:00`
    const run = { finished_at, not_run_checks: 0, is_empty: false, gate: { verdict: 'passed', at, policies } }
    const answers = { getReport: { ...answerFor('getReport'), ...run } }
    expect(await verdictFor(runPage, answers)).toBe(verdict)
    const body = await toBody(runPage, answers)
    expect(body).toContain(why)
    const isAllowed = why.includes('The policy let')
    expect(body.match(/<span class="(?:good|warn)">passed/g)).toEqual(
      Array(2).fill(`<span class="${isAllowed ? 'warn' : 'good'}">passed`),
    )
  },
)

test.each([
  [5, '<span class="good">+5</span>'],
  [-5, '<span class="bad">'],
  [null, 'No change is known: the scans did not look at the same.'],
])('a score that changed by %s is told so', async (score_delta, said) => {
  const body = await toBody(runPage, { compareReports: { ...calmComparison(), score_delta } })
  expect(body).toContain(said)
})

test('what runs is not known where only Kubernetes is', async () => {
  const found = answerFor('reportFreshness')
  const item = { ...found.items[0], artifact_type: 'kubernetes', status: 'up_to_date', advisories_count: 0, eol: null }
  const coverage = { ...found.coverage, artifacts: 0, known: 0, advisories_known: 0 }
  const reportFreshness = { ...found, ...listing(item), coverage }
  expect(await verdictFor(freshnessPage, { reportFreshness })).toBe('undecided')
  expect(await toBody(runPage, { reportFreshness })).toMatch(/Outdated<\/span><b class="warn">n\/a</)
})

test('ended support of Kubernetes counts without an inventory', async () => {
  const cluster = calmCluster()
  Object.assign(cluster.freshness, { artifacts: 0, known: 0, ended: 1 })
  expect(await toBody(clusterPage, { getCluster: cluster })).toMatch(/Out of support<\/span><b class="bad">1</)
  expect(await toBody(clustersPage, { listClusters: fleetFor(cluster) })).toContain(
    '<span class="bad">1 version out of support</span>',
  )
})

test('regressed findings count where none is new', async () => {
  const cluster = calmCluster()
  Object.assign(cluster.changes, { new_findings: 0, regressed_findings: 4 })
  expect(await toBody(clusterPage, { getCluster: cluster })).toMatch(/New or regressed<\/span><b class="bad">4</)
})

test('trends without a run name no cluster', async () => {
  const { checks: _, ...trend } = answerFor('reportTrends')
  const reportTrends = { ...trend, cluster_name: '', environment: 'prod', points: [] }
  expect(await toBody(trendsPage, { reportTrends })).toContain('<h1>Trends</h1>')
})
