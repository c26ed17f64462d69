import { describe, expect, test } from 'vitest'
import type { RouteName } from '../../src/contract/routes.ts'
import { renderFreshness } from '../../src/html/report/freshness.ts'
import { renderUpgrade } from '../../src/html/report/upgrade.ts'
import type { Tool } from '../../src/mcp/tool.ts'
import { explainFinding, listFindings as listFindingsTool } from '../../src/mcp/tools/findings.ts'
import { compareRuns, freshness as freshnessTool } from '../../src/mcp/tools/runs.ts'
import { upgradePlan } from '../../src/mcp/tools/upgrade.ts'
import { advisoryColumns } from '../../src/views/advisory.ts'
import { viewComparison } from '../../src/views/comparison.ts'
import { coverageNotes } from '../../src/views/coverage.ts'
import { exceptionColumns } from '../../src/views/exception.ts'
import { findingColumns } from '../../src/views/finding.ts'
import { findingVerdict, occurrenceColumns } from '../../src/views/finding-details.ts'
import { freshnessVerdict } from '../../src/views/freshness.ts'
import { freshnessColumns } from '../../src/views/freshness-columns.ts'
import { deliveryTones } from '../../src/views/outcome.ts'
import { Redactor } from '../../src/views/redaction.ts'
import { plainText, type Said } from '../../src/views/said.ts'
import { pointColumns } from '../../src/views/trend-points.ts'
import { partColumns, stepColumns, upgradeVerdict } from '../../src/views/upgrade.ts'
import { fleetVerdict, plannedColumns } from '../../src/views/upgrade-fleet.ts'
import { doubtsIn, type ViewColumn } from '../../src/views/view.ts'
import { comparisonWith, runWith } from '../gate/evidence.ts'
import { exampleFor } from '../helpers/examples/index.ts'
import { cellsOnPage, cellsOnTerminal, painted, printed, spanned, toPage, withoutTags } from './media.ts'

// biome-ignore lint/suspicious/noExplicitAny: parts of answers of several routes
type Answer = any

const now = Date.UTC(2026, 10, 22) / 1000
const answerFor = (name: RouteName): Answer => structuredClone(exampleFor(name).answer)
const toList = (items: Answer[]): Answer => ({ page: 1, per_page: 50, total: items.length, total_pages: 1, items })

/** A medium, and the cells that the view wants there. */
interface Medium {
  text: string
  cells: (string | RegExp)[]
}

const isDrawn = ({ text, cells }: Medium): boolean =>
  cells.every((cell) => (typeof cell === 'string' ? text.includes(cell) : cell.test(text)))

const begin = String.fromCharCode(27)
const colors = new RegExp(`${begin}\\[(?:1|2|31|32|33|34)m`, 'g')
const classes = /class="(?:severity )?(?:good|bad|warn|soft|strong|critical|high|medium|low|info|unknown)"/g

/** What a medium would write whose renderer gives every tone a color of its own. */
const repainted = (text: string): string => text.replace(colors, `${begin}[36m`).replace(classes, 'class="other"')

/** Only a cell in some tone can show that. */
const isToned = (cell: string | RegExp): boolean =>
  typeof cell === 'string'
    ? cell.startsWith(begin)
    : cell.source.startsWith('class="severity') || /^class="\w+"\[/.test(cell.source)

type Media = Record<string, Medium>

const onPage = <Row>(text: string, columns: ViewColumn<Row>[], rows: Row[]): Medium => ({
  text,
  cells: cellsOnPage(columns, rows),
})
const onTerminal = <Row>(text: string, columns: ViewColumn<Row>[], rows: Row[]): Medium => ({
  text,
  cells: cellsOnTerminal(columns, rows),
})

const found = answerFor('listFindings')
const findingWith = (more: object): Answer => ({ ...found.items[0], ...more })
const acceptedBy = { exception_id: 'exc_1', reason: 'known', expires_on: '2027-01-01', accepted_by: 'ada' }
const findings: Record<string, Answer[]> = {
  known: [
    findingWith({ severity: 'critical', state: 'new' }),
    findingWith({ severity: 'high', state: 'regressed' }),
    findingWith({ severity: 'low', state: 'open' }),
  ],
  exploited: [findingWith({ severity: 'high', exploited: { since: '2026-01-01', source: 'https://kev.example' } })],
  unknown: [findingWith({ severity: 'unknown', first_seen_at: null })],
  'not run': [findingWith({ fingerprint: null, severity: null, state: 'not-run', resource: null, reason: 'refused' })],
  suppressed: [findingWith({ state: 'suppressed', reason: 'muted', suppressed_until: '2027-01-01' })],
  accepted: [findingWith({ state: 'accepted', accepted: acceptedBy })],
}

async function findingMedia(rows: Answer[]): Promise<Media> {
  const answers = { listFindings: { ...found, ...toList(rows), findings: rows.length } }
  const columns = [findingColumns.severity, findingColumns.state]
  return {
    page: onPage(await toPage('/findings', answers, {}, {}, now), columns, rows),
    terminal: onTerminal(await printed(['findings', 'list', '--all'], answers, now), columns, rows),
  }
}

const [exception] = answerFor('listExceptions').items
const exceptions: Record<string, Answer[]> = {
  active: [exception],
  expired: [{ ...exception, state: 'expired', expires_on: '2026-01-01' }],
  ended: [{ ...exception, state: 'expired', ended_at: '2026-11-01 00:00:00', ended_by: 'ada' }],
}

async function exceptionMedia(rows: Answer[]): Promise<Media> {
  const answers = { listExceptions: toList(rows), getException: rows[0] }
  const { state, until } = exceptionColumns
  const shown = toPage('/exceptions/{exception_id}', answers, { exception_id: 'e' }, {}, now)
  return {
    page: onPage(await toPage('/exceptions', answers, {}, {}, now), [state, until], rows),
    'page of one': onPage(await shown, [state], rows),
    terminal: onTerminal(await printed(['exceptions', 'list'], answers, now), [until], rows),
  }
}

const freshness = answerFor('reportFreshness')
const [advisory] = freshness.items[0].advisories
const affectedBy = (more: object): Answer => ({
  ...freshness.items[0],
  advisories: [{ ...advisory, ...more }],
  highest_advisory_severity: 'severity' in more ? more.severity : advisory.severity,
})
const advisories: Record<string, Answer[]> = {
  rated: [affectedBy({ severity: 'critical' })],
  unrated: [affectedBy({ severity: 'none' })],
  exploited: [affectedBy({ exploited: { since: '2026-01-01', source: 'https://kev.example' } })],
  'without a fix': [affectedBy({ fixed_in: null, fixed_in_line: null })],
  unknown: [{ ...affectedBy({}), advisories: [], advisories_count: null }],
}

async function advisoryMedia(items: Answer[]): Promise<Media> {
  const answer = { ...freshness, items }
  const answers = { reportFreshness: answer, getReport: runWith(), listReports: toList([runWith()]) }
  const { severity, advisory: id } = advisoryColumns
  const { advisories: affected, status } = freshnessColumns({ now, hasSecurityFacts: true })
  const path = '/runs/{run_id}/freshness'
  const report = { freshness: { found: answer }, madeAt: now, redactor: new Redactor([]) }
  const listed = items.flatMap(({ advisories }) => advisories)
  return {
    'page of one': onPage(await toPage(path, answers, { run_id: 'r' }, { artifact: 'a' }, now), [severity, id], listed),
    page: onPage(await toPage(path, answers, { run_id: 'r' }, {}, now), [affected, status], items),
    report: onPage(String(renderFreshness(report as never)), [affected, status], items),
    terminal: onTerminal(
      await printed(['reports', 'freshness', '--cluster', 'shop-prod'], answers, now),
      [affected, status],
      items,
    ),
  }
}

const trend = answerFor('reportTrends')
const point = { ...trend.points[0], not_run_checks: 0, scope_gaps: 0 }
const trends: Record<string, Answer[]> = {
  known: [point],
  'not run': [{ ...point, not_run_checks: 12 }],
  'other scope': [{ ...point, scope_gaps: 2 }],
  unknown: [{ ...point, score: null, findings: null }],
}

async function trendMedia(points: Answer[]): Promise<Media> {
  const answers = { reportTrends: { ...trend, format: 'kubebuddy', points } }
  const page = await toPage('/trends', answers, {}, { cluster_name: 'shop-prod' }, now)
  const terminal = await printed(['reports', 'trends', '--cluster', 'shop-prod'], answers, now)
  const scores = points.flatMap((each) => pointColumns.score.text(each) ?? []).filter((text) => text !== 'n/a')
  return {
    page: onPage(page, Object.values(pointColumns), points),
    'words of the page': { text: withoutTags(page), cells: scores },
    terminal: { text: terminal, cells: scores },
  }
}

const plan = answerFor('getUpgradePlan')
const [part] = plan.parts
const partWith = (needs: string, more: object = {}) => ({ ...plan, parts: [{ ...part, needs, ...more }] })
const reason = (word: string) => ({ word, project_slug: 'keda', says: 'KEDA 2.18 goes no further.' })
const retired = { kind: 'retired', says: 'It is retired.', source: null, as_of: null }
const plans: Record<string, Answer> = {
  ready: partWith('upgrade_before'),
  blocked: { ...partWith('blocked', { to_version: null }), verdict: 'blocked', reasons: [reason('blocked')] },
  undetermined: { ...partWith('unknown'), verdict: 'undetermined', reasons: [reason('undetermined')] },
  'not stated': { ...partWith('unknown'), verdict: 'warnings', reasons: [reason('not_stated')] },
  retired: partWith('ok', { evidence: [retired] }),
  'not collected': { ...plan, steps: [{ ...plan.steps[0], breaks: null }] },
}

async function planMedia([made]: Answer[]): Promise<Media> {
  const answers = { getUpgradePlan: made, listReports: toList([runWith()]), listClusters: toList([]) }
  const verdict = upgradeVerdict(made)
  const { text: word, tone } = verdict.words[0]!
  const gaps = verdict.gaps.flatMap((said) => said.map(({ text }) => text))
  const cells = [...cellsOnPage(partColumns, made.parts as never[]), ...cellsOnPage(stepColumns, made.steps as never[])]
  const state = new RegExp(`class="verdict ${verdict.state}"`)
  const report = { upgrade: { found: made }, redactor: new Redactor([]), madeAt: now }
  const page = await toPage('/upgrade', answers, {}, { cluster_name: 'shop' }, now)
  const terminal = await printed(['upgrade', 'plan', '--cluster', 'shop'], answers, now)
  return {
    page: { text: page, cells: [...cells, ...gaps, state] },
    report: { text: String(renderUpgrade(report as never)), cells: [...cells, ...gaps, state] },
    terminal: { text: terminal, cells: [painted(tone, word), ...gaps] },
    assistant: await heard(upgradePlan, answers, [verdict.words, ...verdict.gaps]),
  }
}

/** What an assistant hears, and what it must hear of. */
async function heard(
  tool: Tool,
  answers: Partial<Record<RouteName, unknown>>,
  doubts: Said[],
  args = {},
): Promise<Medium> {
  const call = async (name: RouteName) => answers[name]
  const { about, said } = await tool.ask(call as never, args, { rows: { offset: 0, limit: 20 }, now })
  return { text: [said, ...(about.undecided ?? [])].map(plainText).join('\n'), cells: doubts.map(plainText) }
}

const details = answerFor('getFinding')
const occurrence = (state: string, more: object = {}) => ({ ...details.clusters[0], state, doubt: null, ...more })
const occurrences: Record<string, Answer[]> = {
  known: [occurrence('open')],
  gone: [occurrence('resolved')],
  unknown: [occurrence('unknown', { doubt: 'The check did not run.' })],
  'not run': [occurrence('open', { doubt: 'Its check did not run in the latest scan.' })],
  partial: [occurrence('resolved'), occurrence('unknown')],
  suppressed: [occurrence('suppressed')],
  accepted: [occurrence('accepted')],
  empty: [],
}

async function occurrenceMedia(clusters: Answer[]): Promise<Media> {
  const answers = { getFinding: { ...details, clusters }, listExceptions: toList([]), reportFreshness: { items: [] } }
  const verdict = findingVerdict({ clusters })
  const page = await toPage('/findings/{fingerprint}', answers, { fingerprint: 'a1b2' }, {}, now)
  const terminal = await printed(['findings', 'show', 'a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4'], answers, now)
  const state = new RegExp(`class="verdict ${verdict.state}"`)
  return {
    page: { text: page, cells: [...cellsOnPage([occurrenceColumns.state], clusters), state, plainText(verdict.words)] },
    terminal: onTerminal(terminal, [occurrenceColumns.state], clusters),
    assistant: await heard(explainFinding, answers, [verdict.words, ...verdict.gaps], { fingerprint: 'a1b2' }),
  }
}

const listing = answerFor('listFindings')
const looked = {
  ...listing.looked_at,
  runs: 1,
  not_run_checks: 0,
  not_run: [],
  empty_runs: 0,
  stale: [],
  stale_count: 0,
}
const listings: Record<string, object> = {
  known: {},
  'not run': { not_run_checks: 12, not_run: [{ cluster_name: 'shop', environment: 'prod' }] },
  partial: { unlisted_rows: 4 },
  'other scope': { incomparable_findings: 3 },
  stale: {
    stale: [{ cluster_name: 'shop', environment: 'prod', format: 'trivy', seen_at: '2026-01-01 00:00:00' }],
    stale_count: 1,
  },
  accepted: { accepted_findings: 7 },
  empty: { empty_runs: 1 },
}

async function listingMedia([more]: object[]): Promise<Media> {
  const looked_at = { ...looked, unlisted_rows: 0, incomparable_findings: 0, ...more }
  const answers = { listFindings: { ...listing, ...toList([findingWith({})]), looked_at } }
  const notes = coverageNotes(looked_at, { now })
  const page = await toPage('/findings', answers, {}, {}, now)
  const words = notes.map(({ said }) => plainText(said))
  const drawn = notes.map(({ tone }) => `<p class="${tone ?? 'note'}">`)
  return {
    page: { text: page, cells: drawn },
    'words of the page': { text: withoutTags(page), cells: words },
    terminal: { text: await printed(['findings', 'list', '--all'], answers, now), cells: words },
    assistant: await heard(listFindingsTool, answers, doubtsIn(notes)),
  }
}

const running: Record<string, object> = {
  known: { coverage: { ...freshness.coverage, artifacts: 1, known: 1, advisories_known: 1 } },
  partial: { coverage: { ...freshness.coverage, artifacts: 9, known: 1 } },
  stale: { catalog_date: '2026-01-01' },
  unknown: { items: [{ ...freshness.items[0], status: 'unknown', advisories_count: null, advisories: [] }] },
  empty: { items: [] },
}

async function runningMedia([more]: object[]): Promise<Media> {
  const found = { ...freshness, ...more }
  const answers = { reportFreshness: found, getReport: runWith(), listReports: toList([runWith()]) }
  const verdict = freshnessVerdict(found, now)
  const page = await toPage('/runs/{run_id}/freshness', answers, { run_id: 'r' }, {}, now)
  const gaps = verdict.gaps.map(plainText)
  return {
    page: { text: page, cells: [new RegExp(`class="verdict ${verdict.state}"`)] },
    'words of the page': { text: withoutTags(page), cells: [plainText(verdict.words), ...gaps] },
    assistant: await heard(freshnessTool, answers, verdict.state === 'passed' ? [] : verdict.gaps, { run_id: 'r' }),
  }
}

const comparisons: Record<string, object> = {
  known: {},
  'not run': { to: runWith({ not_run_checks: 12 }) },
  'other scope': {
    scope_changes: { namespaces_excluded: ['a'], namespaces_included: [], checks_removed: [], checks_added: [] },
  },
  'of two clusters': { from: runWith({ cluster_name: 'other' }) },
  partial: {
    incomparable_findings: [{ check_id: 'A', reason: 'not_listed', count: 3 }],
    incomparable_findings_count: 3,
  },
  empty: { to: runWith({ is_empty: true }) },
}

async function comparisonMedia([more]: object[]): Promise<Media> {
  const compared = { from: runWith(), to: runWith(), ...more }
  const found = comparisonWith(compared)
  const { notes, verdict } = viewComparison(found)
  const answers = { compareReports: found, listReports: toList([]) }
  const page = await toPage('/compare', answers, {}, { cluster_name: 'shop-prod' }, now)
  const words = notes.map(({ said }) => plainText(said))
  const wrapped = (await printed(['reports', 'compare', '--cluster', 'shop-prod'], answers, now)).replace(/\s+/g, ' ')
  return {
    page: { text: page, cells: [new RegExp(`class="verdict ${verdict.state}"`)] },
    'words of the page': { text: withoutTags(page), cells: [...words, ...verdict.gaps.map(plainText)] },
    terminal: { text: wrapped, cells: words },
    assistant: await heard(compareRuns, answers, [...verdict.gaps, ...doubtsIn(notes)]),
  }
}

const fleet = answerFor('getFleetUpgrade')
const [plannedCluster] = fleet.clusters
const summaryOf = (verdict: string) => ({
  ...{ ...fleet.summary, clusters: 1, blocked: 0, undetermined: 0, warnings: 0, ready: 0 },
  [verdict]: 1,
})
const fleets: Record<string, Answer> = Object.fromEntries([
  ...['ready', 'warnings', 'blocked', 'undetermined'].map((verdict) => [
    verdict,
    { ...fleet, summary: summaryOf(verdict), clusters: [{ ...plannedCluster, verdict }] },
  ]),
  ['empty', { ...fleet, summary: { ...summaryOf('ready'), clusters: 0, ready: 0 }, clusters: [], steps: [] }],
  ['partial', { ...fleet, not_planned: [{ cluster_name: 'other', environment: 'prod' }] }],
])

async function fleetMedia([made]: Answer[]): Promise<Media> {
  const answers = { getFleetUpgrade: made }
  const [, , verdict] = plannedColumns
  const said = fleetVerdict(made)
  const page = await toPage('/upgrade', answers, {}, {}, now)
  const terminal = await printed(['upgrade', 'plan', '--all'], answers, now)
  const states = said.filter(({ tone }) => tone !== undefined)
  const [spans, paints] = [
    states.map(({ tone, text }) => spanned(tone, text)),
    states.map(({ tone, text }) => painted(tone, text)),
  ]
  return {
    page: { text: page, cells: [...cellsOnPage([verdict!], made.clusters as never[]), ...spans] },
    terminal: {
      text: terminal,
      cells: made.summary.clusters === 0 ? [] : [...cellsOnTerminal([verdict!], made.clusters as never[]), ...paints],
    },
  }
}

const check = answerFor('checkUpgrade')
const checks: Record<string, Answer> = Object.fromEntries(
  (['ready', 'warnings', 'blocked', 'undetermined'] as const).map((verdict) => [verdict, { ...check, verdict }]),
)

async function checkMedia([made]: Answer[]): Promise<Media> {
  const argv = ['upgrade', 'check', '--kubernetes', '1.33', '--to', '1.34', 'keda@2.18.3']
  const terminal = await printed(argv, { checkUpgrade: made }, now)
  const { text, tone } = upgradeVerdict(made).words[0]!
  return {
    terminal: { text: terminal, cells: [painted(tone, text), ...cellsOnTerminal(partColumns, made.parts as never[])] },
  }
}

const [delivery] = answerFor('listDeliveries').items
const deliveries: Record<string, Answer[]> = Object.fromEntries(
  Object.keys(deliveryTones).map((state) => [state, [{ ...delivery, state }]]),
)

async function deliveryMedia(rows: Answer[]): Promise<Media> {
  const answers = { listDeliveries: toList(rows) }
  const [tone, state] = [deliveryTones[rows[0].state as keyof typeof deliveryTones], rows[0].state]
  return {
    terminal: { text: await printed(['notify', 'deliveries', 'list'], answers, now), cells: [painted(tone, state)] },
  }
}

const each = <T>(states: Record<string, T>, name: string, media: (state: T) => Promise<Media>) =>
  Object.entries(states).map(([state, own]) => [`${name}, ${state}`, () => media(own)] as const)

const answers = [
  ...each(findings, 'findings', findingMedia),
  ...each(exceptions, 'exceptions', exceptionMedia),
  ...each(advisories, 'advisories', advisoryMedia),
  ...each(trends, 'trends', trendMedia),
  ...each(plans, 'the upgrade plan', (each) => planMedia([each])),
  ...each(occurrences, 'a finding', occurrenceMedia),
  ...each(listings, 'what a list of findings rests on', (each) => listingMedia([each])),
  ...each(running, 'what runs', (each) => runningMedia([each])),
  ...each(comparisons, 'a comparison', (each) => comparisonMedia([each])),
  ...each(fleets, 'the upgrade of a fleet', (each) => fleetMedia([each])),
  ...each(checks, 'the check of an upgrade', (each) => checkMedia([each])),
  ...each(deliveries, 'deliveries', deliveryMedia),
]

describe.each(answers)('%s', (_, media) => {
  test('is drawn alike, and a renderer that colors for itself is found', async () => {
    for (const [medium, drawn] of Object.entries(await media())) {
      expect([medium, isDrawn(drawn)]).toEqual([medium, true])
      if (drawn.cells.some(isToned)) {
        expect([medium, isDrawn({ ...drawn, text: repainted(drawn.text) })]).toEqual([medium, false])
      }
    }
  })
})
