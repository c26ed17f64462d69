import { describe, expect, test } from 'vitest'
import { exampleFor } from '../../src/contract/openapi/examples/index.ts'
import type { RouteName } from '../../src/contract/routes.ts'
import { renderFreshness } from '../../src/html/report/freshness.ts'
import { renderUpgrade } from '../../src/html/report/upgrade.ts'
import { advisoryColumns } from '../../src/views/advisory.ts'
import { exceptionColumns } from '../../src/views/exception.ts'
import { findingColumns } from '../../src/views/finding.ts'
import { freshnessColumns } from '../../src/views/freshness-columns.ts'
import { Redactor } from '../../src/views/redaction.ts'
import { pointColumns } from '../../src/views/trend-points.ts'
import { partColumns, stepColumns, upgradeVerdict } from '../../src/views/upgrade.ts'
import type { ViewColumn } from '../../src/views/view.ts'
import { runWith } from '../gate/evidence.ts'
import { cellsOnPage, cellsOnTerminal, painted, printed, toPage, withoutTags } from './media.ts'

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
