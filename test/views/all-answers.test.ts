import { describe, expect, test } from 'vitest'
import { advisoryFindings } from '../../src/ci/advisory-findings.ts'
import { riskPathFindings } from '../../src/ci/risk-path-findings.ts'
import { renderSarif } from '../../src/ci/sarif.ts'
import { renderExplanations } from '../../src/cli/commands/reports/freshness-view.ts'
import type { RouteName } from '../../src/contract/routes.ts'
import { renderVerdict } from '../../src/html/report/verdict.ts'
import type { Tool } from '../../src/mcp/tool.ts'
import { impact as impactTool } from '../../src/mcp/tools/catalog.ts'
import { fleetStatus, whatsRunning } from '../../src/mcp/tools/fleet.ts'
import { drawColumns as drawHtml } from '../../src/render/html/draw.ts'
import { table } from '../../src/render/html/table.ts'
import { createColor } from '../../src/render/terminal/color.ts'
import { drawSaid } from '../../src/render/terminal/draw.ts'
import { advisoryColumns, ratingTone } from '../../src/views/advisory.ts'
import { agentColumns, agentsVerdict, jobColumns } from '../../src/views/agent.ts'
import { checkColumns } from '../../src/views/check.ts'
import { clusterColumns, expectedText, scannerFigures } from '../../src/views/cluster.ts'
import { clusterVerdict, fleetVerdict, statusColumns } from '../../src/views/fleet.ts'
import { impactColumns, impactVerdict } from '../../src/views/impact.ts'
import { groupImpact, impactProjectColumns } from '../../src/views/impact-projects.ts'
import { Redactor } from '../../src/views/redaction.ts'
import { pathColumns } from '../../src/views/risk-path.ts'
import { runDetails } from '../../src/views/run.ts'
import { runFigures } from '../../src/views/run-figures.ts'
import { verdictTones } from '../../src/views/verdict.ts'
import { versionsVerdict } from '../../src/views/versions.ts'
import type { Figure, ViewVerdict } from '../../src/views/view.ts'
import { freshnessFor, itemWith, policyFor, runWith } from '../gate/evidence.ts'
import { exampleFor } from '../helpers/examples/index.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import {
  cellsOnPage,
  cellsOnTerminal,
  io,
  painted,
  printed,
  sentence,
  toPage,
  toProjectPage,
  withoutTags,
} from './media.ts'

// biome-ignore lint/suspicious/noExplicitAny: parts of answers of several routes
type Answer = any

const now = Date.UTC(2026, 10, 22) / 1000
const answerFor = (name: RouteName): Answer => structuredClone(exampleFor(name).answer)
const pick = <T extends object, K extends keyof T>(columns: T, ...keys: K[]): T[K][] => keys.map((key) => columns[key])

/** The first thing that is said has one state and one tone everywhere. */
function expectVerdict(verdict: ViewVerdict, { page, terminal }: { page?: string; terminal?: string }): void {
  const words = sentence(verdict.words)
  if (page !== undefined) {
    expect(page).toContain(`class="verdict ${verdict.state}"`)
    expect(withoutTags(page)).toContain(words)
  }
  if (terminal !== undefined) expect(terminal).toContain(painted(verdictTones[verdict.state], words.split(' ')[0]!))
}

function expectFigures(figures: Figure[], page: string): void {
  for (const { title, value, tone } of figures) {
    expect(page).toMatch(new RegExp(`<span class="label">${title}</span><b class="${tone ?? ''}">`))
    expect(withoutTags(page)).toContain(sentence(value))
  }
}

/** An assistant hears of every gap, and gives no all-clear where a page gives none. */
async function expectDoubts(tool: Tool, answer: Answer, verdict: ViewVerdict): Promise<void> {
  const { about } = await tool.ask((async () => answer) as never, {}, { rows: { offset: 0, limit: 20 }, now })
  const doubts = about.undecided!.map(sentence)
  expect(doubts).toEqual(expect.arrayContaining(verdict.gaps.map((gap) => `${sentence(gap)}.`)))
  if (verdict.state === 'undecided' && verdict.gaps.length > 0) expect(doubts).not.toEqual([])
}

const impact = answerFor('getImpact')
const calm = { ...impact.summary, clusters: 0, artifacts: 0, workloads: 0, namespaces: 0 }
const whole = { ...impact.coverage, artifacts: 2, known: 2, advisories_known: 2 }
const fresh = { catalog_date: '2026-11-20' }
const impacts: Record<string, [state: ViewVerdict['state'], answer: Answer]> = {
  affected: ['failed', { ...impact, ...fresh }],
  uncertain: ['failed', { ...impact, ...fresh, items: [{ ...impact.items[0], is_certain: false, severity: 'none' }] }],
  known: ['passed', { ...impact, ...fresh, summary: calm, items: [], coverage: whole }],
  partial: ['undecided', { ...impact, ...fresh, summary: calm, items: [], coverage: { ...whole, known: 1 } }],
  stale: ['undecided', { ...impact, catalog_date: '2026-06-01', summary: calm, items: [], coverage: whole }],
  unknown: ['undecided', { ...impact, ...fresh, summary: calm, items: [], has_ranges: false, releases: [] }],
  empty: ['undecided', { ...impact, ...fresh, summary: { ...calm, clusters_seen: 0 }, items: [] }],
}

describe.each(Object.entries(impacts))('impact, %s', (_, [state, found]) => {
  test('is judged and drawn alike', async () => {
    const verdict = impactVerdict(found, { isOfOne: false, now })
    expect(verdict.state).toBe(state)
    const columns = impactColumns(false)
    const page = await toPage('/impact', { getImpact: found }, {}, {}, now)
    const terminal = await printed(['impact'], { getImpact: found }, now)
    expectVerdict(verdict, { page, ...(found.items.length > 0 && { terminal }) })
    for (const gap of verdict.gaps) expect(withoutTags(page)).toContain(sentence(gap))
    await expectDoubts(impactTool, found, verdict)
    if (found.items.length === 0 && found.summary.clusters_seen > 0) expect(terminal).toContain(sentence(verdict.words))
    for (const cell of cellsOnTerminal(impactProjectColumns, groupImpact(found.items))) expect(terminal).toContain(cell)
    for (const cell of cellsOnPage(pick(columns, 'artifact', 'runs', 'upgrade_to', 'severity'), found.items))
      expect(page).toMatch(cell)
  })
})

const cluster = answerFor('getCluster')
const rising = { ...cluster.latest_run, score: 90, score_delta: null, not_run_checks: 12 }
const clusters: Record<string, Answer> = {
  known: {
    ...cluster,
    attention: [],
    gate: { verdict: 'passed', at: '2026-11-21 00:00:00', limits: { let_pass: 0, exceptions_end: null } },
  },
  'not run': { ...cluster, latest_run: rising },
  unknown: { ...cluster, has_figures: false, changes: null, freshness: null, gate: null },
  stale: { ...cluster, last_scan: '2026-06-01 00:00:00', overdue: true },
  empty: { ...cluster, latest_run: { ...cluster.latest_run, is_empty: true } },
  accepted: {
    ...cluster,
    gate: { verdict: 'passed', at: '2026-11-21 00:00:00', limits: { let_pass: 1, exceptions_end: null } },
  },
  'accepted until yesterday': {
    ...cluster,
    gate: { verdict: 'passed', at: '2026-11-01 00:00:00', limits: { let_pass: 0, exceptions_end: '2026-11-21' } },
  },
  'judged by an older server': { ...cluster, gate: { verdict: 'passed', at: '2026-11-21 00:00:00' } },
}
const fleetFor = (item: Answer): Answer => ({
  ...{ page: 1, per_page: 50, total: 1, total_pages: 1, items: [item] },
  summary: { clusters: 1, needs_attention: item.attention.length > 0 ? 1 : 0, pending: 0, attention: {} },
})
const getStatus = { sources: { total: 0, failing: 0, items: [] } }

describe.each(Object.entries(clusters))('a cluster, %s', (_, item) => {
  const answers = { listClusters: fleetFor(item), getCluster: item, getStatus, listExceptions: { items: [], total: 0 } }
  const rows = [item]

  test('is listed alike', async () => {
    const columns = clusterColumns(now)
    const [page, listed] = await Promise.all([
      toPage('/', answers, {}, {}, now),
      printed(['status', '--all', '-o', 'wide'], answers, now),
    ])
    expectVerdict(fleetVerdict(answers.listClusters, now), { page })
    await expectDoubts(fleetStatus, answers.listClusters, fleetVerdict(answers.listClusters, now))
    for (const cell of cellsOnPage(statusColumns(now), rows)) expect(page).toMatch(cell)
    for (const cell of cellsOnTerminal(pick(columns, 'cluster', 'score', 'change', 'behind'), rows))
      expect(listed).toContain(cell)
  })

  test('has a status of the same verdict and tones', async () => {
    const status = await printed(['status', '--all'], answers, now)
    expectVerdict(fleetVerdict(answers.listClusters, now), { terminal: status })
    for (const cell of cellsOnTerminal(pick(statusColumns(now), 1, 2), rows)) expect(status).toContain(cell)
  })

  test('expects reports as often in every medium', async () => {
    const reports = { page: 1, per_page: 50, total: 0, total_pages: 0, items: [] }
    const trends = { window_days: 90, points: [] }
    const often = { ...item, expected_reports: { every: 1800, set_by: 'agent' }, freshness: null }
    const known = {
      ...answers,
      listClusters: fleetFor(often),
      getCluster: often,
      listReports: reports,
      getReport: runWith({}),
      getUpgradePlan: answerFor('getUpgradePlan'),
    }
    const page = await toPage(
      '/clusters/{cluster_id}',
      { ...known, reportTrends: trends },
      { cluster_id: 'c' },
      {},
      now,
    )
    const shown = await printed(['status', often.cluster_name, '-o', 'wide'], known, now)
    for (const text of [withoutTags(page), shown]) expect(text).toContain(expectedText(often)!)
  })

  test('has a page with the same figures', async () => {
    const reports = { page: 1, per_page: 50, total: 0, total_pages: 0, items: [] }
    const trends = { window_days: 90, points: [] }
    const page = await toPage(
      '/clusters/{cluster_id}',
      { ...answers, listReports: reports, reportTrends: trends },
      { cluster_id: 'c' },
      {},
      now,
    )
    expectVerdict(clusterVerdict(item, now), { page })
    expectFigures(scannerFigures(item, now), page)
  })
})

test('a rise from 60 to 90 without 12 checks is told nowhere', async () => {
  const item = clusters['not run']
  const answers = { listClusters: fleetFor(item), getCluster: item, getStatus, listExceptions: { items: [], total: 0 } }
  const texts = await Promise.all([
    printed(['status', '--all', '-o', 'wide'], answers, now),
    printed(['status', '--all'], answers, now),
    toPage('/', answers, {}, {}, now),
  ])
  for (const text of texts) {
    expect(text).not.toContain('+30')
  }
  const tool = await fleetStatus.ask(
    (async () => answers.listClusters) as never,
    {},
    { rows: { offset: 0, limit: 20 }, now },
  )
  expect(sentence(tool.said)).toContain(sentence(fleetVerdict(answers.listClusters, now).words))
  expect(JSON.stringify(tool.answer)).toContain('"score_delta":null')
})

const pathOf = {
  ...{ kind: 'risk_path', id: 'RP001', name: 'Way in', is_open: true, status: 'open', confidence: null, summary: null },
  ...{ signal_checks: [], requires: [], triggered_by: [], evidence: [] },
} as Answer
const noTrends = { success: true, window_days: 1, clusters: [] }
const runs: Record<string, object> = {
  known: { not_run_checks: 0, checks_not_run: [], is_empty: false },
  'not run': { not_run_checks: 12, checks_not_run: [], is_empty: false },
  unknown: { not_run_checks: undefined, checks_not_run: undefined, findings: null, score: null },
  empty: { not_run_checks: 0, is_empty: true },
  'other scope': { not_run_checks: 0, scope_gaps: 2, is_empty: false },
}

test.each(Object.entries(runs))('the head of a run is drawn alike, %s', async (_, more) => {
  const run = runWith(more)
  const missing = { missing: 'There is no earlier run.' }
  const report = {
    ...{ run, gate: missing, comparison: missing, findings: missing, freshness: missing, trends: missing },
    ...{ madeAt: now, redactor: new Redactor([]), isQueued: false },
  }
  expectFigures(runFigures(report as never), String(renderVerdict(report as never)))
  const answers = {
    reportTrends: noTrends,
    getReport: run,
    reportFreshness: null,
    listReports: { items: [run], total: 1, total_pages: 1, page: 1, per_page: 1 },
  }
  const shown = await printed(['reports', 'show'], answers, now)
  for (const { title, lines } of runDetails(run, { now })) {
    expect(shown).toContain(title)
    for (const line of lines) expect(shown).toContain(drawSaid(io, line))
  }
})

test('the checks that lower the score most are drawn alike', async () => {
  const top = answerFor('listTopChecks')
  const columns = pick(checkColumns, 'points', 'check', 'severity')
  const terminal = await printed(
    ['findings', 'top', '--all'],
    { listTopChecks: top, reportTrends: noTrends, listReports: { items: [runWith({})] } },
    now,
  )
  for (const cell of cellsOnTerminal(columns, top.items)) expect(terminal).toContain(cell)
})

test('what a project runs as has the same gaps in every medium', async () => {
  const found = { ...answerFor('listClusterVersions'), catalog_date: '2026-06-01 00:00:00' }
  const verdict = versionsVerdict(found, now)
  expect(verdict.state).toBe('undecided')
  expectVerdict(verdict, {
    page: await toProjectPage(found, now),
  })
  const answers: Answer = { listProjects: { items: [{ id: 1, slug: 'a', name: 'A' }] }, listClusterVersions: found }
  const tool = { ...whatsRunning, ask: (_: never, __: object, context: never) => ask(context) } as Tool
  const ask = (context: never) =>
    whatsRunning.ask((async (name: RouteName) => answers[name]) as never, { project: 'a' }, context)
  await expectDoubts(tool, found, verdict)
})

const rated = { severity: 'high' as const, score: 8.1 }
test.each([
  ['rated', rated, 'high', '8.1'],
  ['unrated', { severity: null, score: null }, 'unrated', undefined],
  ['rated as none', { severity: 'none' as const, score: null }, 'unrated', undefined],
] as const)('an advisory is rated alike, %s', (_, rating, word, score) => {
  const advisory = {
    id: 'CVE-2026-1',
    aliases: [],
    published: null,
    fixed_in: '1.27.5',
    fixed_in_line: null,
    ...rating,
  }
  const item = itemWith({ advisories: [advisory], advisories_count: 1, fixed_in: '1.27.5' })
  const freshness = freshnessFor([item])
  const tone = ratingTone(rating.severity)
  const columns = pick(advisoryColumns, 'severity')
  const [onPage] = cellsOnPage(columns, [advisory])
  expect(String(table(drawHtml(columns), [advisory], { caption: '' }))).toMatch(onPage!)
  expect(cellsOnTerminal(columns, [advisory])).toEqual([painted(tone, word)])
  const plainIo = { isTerminal: true, width: 400, color: createColor(false), link: (text: string) => text } as never
  const policy = policyFor(['affected>=low'])
  const run = runWith({})
  const result = evaluateGate(policy, { run, freshness, findings: [] }, now)
  const [finding] = advisoryFindings(freshness, policy, '2026-11-22')
  const texts = {
    explained: renderExplanations(plainIo, [item]),
    sarif: finding!.message,
    ...(result.rules[0]!.evidence.length > 0 && { gate: JSON.stringify(result.rules[0]!.evidence) }),
  }
  for (const [medium, text] of Object.entries(texts)) {
    expect([medium, text]).toEqual([medium, expect.stringContaining(word)])
    expect([medium, text]).toEqual([medium, expect.not.stringMatching(/not rated|\bnone\b/)])
  }
  // What nobody rates has the level of a finding that nobody rates, and no invented score.
  expect(finding!.severity).toBe(tone)
  const [{ tool }] = JSON.parse(renderSarif({ run, result: {} }, [finding!], '1')).runs
  expect(tool.driver.rules[0].properties['security-severity']).toBe(score)
})

test.each(['Urgent', 'high', 'Medium', 'odd', null])(
  'a risk path of the priority %s is judged alike',
  async (fix_priority) => {
    const path = { ...pathOf, fix_priority }
    const [finding] = riskPathFindings({ risk_paths: [path] }, undefined)
    const isBad = pathColumns.priority.tone!(path) === 'bad'
    const [{ results }] = JSON.parse(renderSarif({ run: runWith({}), result: {} }, [finding!], '1')).runs
    expect(results[0].level === 'error').toBe(isBad)
    const listed = { ...answerFor('listRiskPaths'), items: [path], total: 1 }
    const terminal = await printed(
      ['findings', 'paths', '--all'],
      { listRiskPaths: listed, reportTrends: noTrends },
      now,
    )
    if (fix_priority) {
      expect(terminal).toContain(painted(pathColumns.priority.tone!(path), `open, priority ${fix_priority}`))
    }
  },
)

const agents = answerFor('listAgents')
const job = agents.items[0].jobs[0]
const withJob = (more: object) => ({
  ...agents,
  silent_clusters: [],
  items: [
    {
      ...agents.items[0],
      last_seen_at: '2026-11-21 23:59:00',
      jobs: [{ ...job, next_at: '2026-11-23 00:00:00', ...more }],
    },
  ],
})
const agentStates: Record<string, [state: ViewVerdict['state'], answer: Answer]> = {
  known: ['stated', withJob({ last_outcome: 'done' })],
  failed: ['failed', withJob({ last_outcome: 'failed' })],
  'not run': ['stated', withJob({ last_outcome: null })],
  skipped: ['stated', withJob({ last_outcome: 'skipped', next_at: '2026-11-01 00:00:00' })],
  stale: [
    'undecided',
    { ...agents, silent_clusters: [], items: [{ ...agents.items[0], last_seen_at: '2026-10-01 00:00:00', jobs: [] }] },
  ],
  empty: ['undecided', { ...agents, silent_clusters: [], items: [] }],
}

test.each(Object.entries(agentStates))('agents are judged and drawn alike, %s', async (_, [state, found]) => {
  const verdict = agentsVerdict(found, now)
  expect(verdict.state).toBe(state)
  const page = await toPage('/agents', { listAgents: found }, {}, {}, now)
  expectVerdict(verdict, { page })
  const terminal = await printed(['agent', 'list'], { listAgents: found }, now)
  const columns = pick(agentColumns(now), 'failed', 'jobs')
  for (const cell of cellsOnTerminal(columns, found.items)) expect(terminal).toContain(cell)
  for (const cell of cellsOnPage(columns, found.items)) expect(page).toMatch(cell)
  const jobs = found.items.flatMap(({ jobs }: Answer) => jobs.map((each: object) => ({ ...each, host: 'h' })))
  for (const cell of cellsOnPage(pick(jobColumns(now), 'last_outcome', 'next'), jobs)) expect(page).toMatch(cell)
})
