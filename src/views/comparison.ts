import type { IncomparableFindings } from '../contract/cluster-report.ts'
import type { ReceivedComparison } from '../contract/received/cluster-report.ts'
import { bySeverity } from '../contract/severity-rank.ts'
import { grownAmong } from '../reports/grown.ts'
import { stableResource } from '../reports/stable-name.ts'
import { count, nounFor } from '../util/words.ts'
import { type ShownFinding, shareText } from './finding.ts'
import { findingTables } from './finding-tables.ts'
import { groupNotRun, type NotRunGroup } from './not-run.ts'
import { readinessNotes } from './readiness.ts'
import { firstOf, joined, named, type Piece, type Said, safe, say, type Tone } from './said.ts'
import { clusterPiece } from './scan.ts'
import { gapNote, hasGaps, isIncomparable, scoreChange, scorePiece, whyNoChange } from './score.ts'
import { titled, titles } from './titles.ts'
import { toldApart } from './told-apart.ts'
import { columnsOf, doubt, type Figure, type Note, noteIn, type Table, type ViewVerdict } from './view.ts'

export interface ComparisonView {
  /** The runs are from different clusters or environments, so differences are not changes over time. */
  isAcross: boolean
  verdict: ViewVerdict
  score: { before: Piece; after: Piece; change: Said }
  figures: Record<'score' | ChangeKind | 'unchanged' | 'incomparable', Figure>
  /** Limitations of the comparison. */
  notes: Note[]
  notRun: NotRunGroup[]
  /** Kinds of change with findings, most urgent first; worst finding first in each. */
  changes: ChangeTable[]
  incomparable: Table<IncomparableFindings> | undefined
  riskPaths: Table<RiskPathChange> | undefined
}

export interface ChangeTable extends Table<ShownFinding> {
  kind: ChangeKind
  /** `New`. */
  heading: string
  total: number
  tone: Tone
}

/** Regressed first: findings that were thought resolved matter most. */
const kinds = {
  regressed: { title: titles.regressed, tone: 'bad' },
  new: { title: titles.new, tone: 'bad' },
  first_seen: { title: titles.first_seen, tone: 'warn' },
  back_in_scope: { title: 'Back in scope', tone: 'warn' },
  accepted: { title: titles.accepted, tone: 'soft' },
  changed: { title: titles.changed, tone: 'strong' },
  suppressed: { title: 'Newly suppressed', tone: 'warn' },
  resolved: { title: 'Resolved', tone: 'good' },
  event: { title: 'Events now', tone: 'strong' },
} as const satisfies Record<string, { title: string; tone: Tone }>

export type ChangeKind = keyof typeof kinds
export const changeKinds = Object.keys(kinds) as ChangeKind[]

/** Kinds in the order of a summary line; rare ones appear only if they are not zero, or unknown. */
const told: Record<ChangeKind | 'unchanged' | 'incomparable', 'always' | 'rare'> = {
  new: 'always',
  regressed: 'always',
  resolved: 'always',
  accepted: 'rare',
  first_seen: 'rare',
  back_in_scope: 'rare',
  changed: 'rare',
  suppressed: 'rare',
  event: 'rare',
  incomparable: 'rare',
  unchanged: 'always',
}

export const toldFigures = ({ figures }: ComparisonView) =>
  (Object.keys(told) as (keyof typeof told)[])
    .filter((kind) => told[kind] === 'always' || figures[kind].data !== 0)
    .map((kind) => figures[kind])

/** `2 new, 0 regressed, 1 resolved, 5 unchanged` */
export const countsSaid = (view: ComparisonView): Said =>
  joined(
    toldFigures(view).map(({ value, title }) => say`${value} ${safe(title.toLowerCase())}`),
    ', ',
  )

export function viewComparison(found: ReceivedComparison): ComparisonView {
  return {
    isAcross: isAcross(found),
    verdict: verdictFor(found),
    score: scoresFor(found),
    figures: toFigures(found),
    notes: [
      ...acrossNotes(found),
      ...gapNotes(found),
      ...scopeNotes(found),
      ...missingNotes(found),
      ...restNotes(found),
      ...withdrawnNotes(found),
      ...unlistedNotes(found),
      ...renamedNotes(found),
      ...grownNotes(found),
      ...readinessNotes(found),
    ],
    notRun: groupNotRun(found.from, found.to),
    changes: changeKinds.map((kind) => toTable(found, kind)).filter(({ rows }) => rows.length > 0),
    incomparable: incomparableTable(found.incomparable_findings ?? []),
    riskPaths: riskPathTable(found),
  }
}

/** Findings of one kind of change; a server may count more than it lists. Accepted findings are a separate kind. */
export function toChanges(found: ReceivedComparison, kind: ChangeKind): { list: ShownFinding[]; total: number } {
  if (kind === 'accepted') {
    const came: ShownFinding[] = [...found.regressed_findings, ...found.new_findings]
    const list = toldApart(came.filter(({ accepted }) => accepted))
    return { list, total: list.length }
  }
  const all = toldApart<ShownFinding>(found[`${kind}_findings`] ?? [])
  const total = found[`${kind}_findings_count`] ?? all.length
  if (kind !== 'new' && kind !== 'regressed') return { list: all, total }
  const list = all.filter(({ accepted }) => !accepted)
  return { list, total: total - (all.length - list.length) }
}

/** For servers that only count incomparable findings. */
export const unexplainedNote = (many: number): Note =>
  doubt(say`${safe(count(many, 'finding'))} cannot be compared. The server does not say why.`)

const isAcross = ({ from, to }: ReceivedComparison) =>
  !!from && !!to && (from.cluster_name !== to.cluster_name || from.environment !== to.environment)

/** Passed only if both scans covered all checks that they list. */
function verdictFor(found: ReceivedComparison): ViewVerdict {
  const gaps = gapsFor(found)
  const totals = { new: toChanges(found, 'new').total, regressed: toChanges(found, 'regressed').total }
  const [worse, resolved] = [totals.new + totals.regressed, toChanges(found, 'resolved').total]
  const opened = found.risk_paths?.opened.length ?? 0
  const more = [say`${resolved} resolved`]
  if (isAcross(found)) {
    const words = say`${safe(count(worse, 'finding'))} only in ${clusterPiece(found.to)}, ${resolved} only in ${clusterPiece(found.from)}`
    return { state: 'undecided', words, gaps }
  }
  if (worse > 0) return { state: 'failed', words: say`${worse} new or regressed`, gaps, more }
  if (opened > 0) return { state: 'failed', words: say`${safe(count(opened, 'risk path'))} opened`, gaps, more }
  if (gaps.length > 0) return { state: 'undecided', words: say`No new or regressed finding is known`, gaps, more }
  return { state: 'passed', words: say`No new or regressed finding`, gaps, more }
}

/** Why there may be new findings although none is listed. */
function gapsFor(found: ReceivedComparison) {
  const { from, to, risk_paths, incomparable_findings_count: hidden } = found
  const paths = risk_paths?.incomparable.length ?? 0
  const notRun = groupNotRun(from, to)
  const areUnknown = [from, to].some((run) => run?.not_run_checks == null && !run?.checks_not_run)
  return [
    ...(hidden === null ? [say`It is not known which findings cannot be compared`] : []),
    ...(hidden ? [say`${safe(count(hidden, 'finding'))} cannot be compared`] : []),
    ...(paths > 0 ? [say`${safe(count(paths, 'risk path'))} cannot be compared`] : []),
    ...(to?.is_empty ? [say`The later scan looked at nothing`] : []),
    ...notRun.map((group) => say`${safe(count(group.count, 'check'))} did not run in ${safe(group.where)}`),
    ...(areUnknown ? [say`It is not known whether every check ran`] : []),
  ]
}

function toFigures(found: ReceivedComparison): ComparisonView['figures'] {
  const { to, unchanged_findings_count: same, incomparable_findings_count: hidden } = found
  const { before, after, change } = scoresFor(found)
  const why = whyNoChange(found)
  const changed =
    why === undefined ? say`${change} from ${before}` : say`${before} before; not comparable: ${safe(why)}`
  return {
    ...(Object.fromEntries(changeKinds.map((kind) => [kind, toFigure(found, kind)])) as Record<ChangeKind, Figure>),
    score: { ...titled('score'), value: [after], data: to?.score ?? null, more: changed },
    unchanged: { key: 'unchanged', title: 'Unchanged', value: known(same), data: same, tone: 'soft' },
    incomparable: {
      key: 'incomparable',
      title: 'Not comparable',
      value: known(hidden),
      data: hidden,
      tone: hidden === 0 ? undefined : 'warn',
    },
  }
}

const scoresFor = (found: ReceivedComparison): ComparisonView['score'] => ({
  before: scorePiece(found.from),
  after: { ...scorePiece(found.to), tone: 'strong' },
  change: isIncomparable(found) ? [safe('(not comparable)', 'soft')] : scoreChange(found.score_delta),
})

function toFigure(found: ReceivedComparison, kind: ChangeKind): Figure {
  const { total } = toChanges(found, kind)
  const { tone } = kinds[kind]
  const title = kind === 'event' ? `${nounFor(total, 'Event')} now` : kinds[kind].title
  return { key: kind, title, value: say`${total}`, data: total, tone: total > 0 ? tone : undefined }
}

const known = (value: number | null) => (value === null ? [safe('n/a')] : say`${value}`)

function acrossNotes(found: ReceivedComparison) {
  if (!isAcross(found)) return []
  const what = found.from?.cluster_name === found.to?.cluster_name ? 'two environments of one cluster' : 'two clusters'
  return [
    doubt(say`The two runs are of ${safe(what)}. New and resolved findings are differences, not changes over time.`),
  ]
}

const gapNotes = ({ from, to }: ReceivedComparison) =>
  [from, to].some((run) => run && run.score !== null && hasGaps(run)) ? [noteIn('soft', [safe(gapNote)])] : []

const mostNames = 20

function scopeNotes({ scope_changes: scope, incomparable_findings_count: hidden }: ReceivedComparison) {
  if (!scope) return []
  const parts = [
    ['namespace', 'Namespaces no longer scanned', scope.namespaces_excluded],
    ['namespace', 'Namespaces newly scanned', scope.namespaces_included],
    ['check', 'Checks no longer run', scope.checks_removed],
    ['check', 'Checks newly run', scope.checks_added],
  ] as const
  const changed = parts.filter(([, , names]) => names.length > 0)
  if (changed.length === 0) return []
  const many = hidden === null ? 'some findings' : count(hidden, 'finding')
  return [
    doubt(say`The scope of the two scans differs; ${safe(many)} cannot be compared.`),
    ...changed.map(([reveals, label, names]) => {
      const all = names.map((name) => [named(reveals, name)])
      return doubt(say`${safe(label)}: ${firstOf(all, mostNames)}`)
    }),
  ]
}

function unlistedNotes({ incomparable_findings: groups }: ReceivedComparison) {
  const unlisted = (groups ?? []).filter(({ reason }) => reason === 'not_listed')
  if (unlisted.length === 0) return []
  const checks = unlisted.map(({ check_id, count: many }) => say`${named('check', check_id)} (${many})`)
  return [doubt(say`The later report lists fewer findings than it counts: ${firstOf(checks, mostNames)}`)]
}

function missingNotes({ incomparable_findings: groups }: ReceivedComparison) {
  const missing = (groups ?? [])
    .filter(({ reason }) => reason === 'report_missing')
    .reduce((sum, { count }) => sum + count, 0)
  if (missing === 0) return []
  return [doubt(say`${safe(count(missing, 'finding'))} of workloads without a report now: compared when it is back`)]
}

function withdrawnNotes({ to, incomparable_findings: groups = [] }: ReceivedComparison) {
  const many = groups.reduce((sum, { reason, count }) => sum + (reason === 'check_withdrawn' ? count : 0), 0)
  if (many === 0) return []
  return [noteIn('soft', say`Withdrawn by ${to?.format} ${to?.source_version}: ${safe(count(many, 'finding'))}`)]
}

/** Findings that stay open although nothing was there to look at. */
function restNotes({
  at_rest_findings: resting = [],
  at_rest_findings_count: many = resting.length,
}: ReceivedComparison) {
  if (many === 0) return []
  const templates = new Set(resting.map(({ namespace, resource }) => `${namespace}/${stableResource(resource ?? '')}`))
  return [
    noteIn('soft', [
      safe(`${count(many, 'finding')} of ${count(templates.size, 'template')} without pods now stay open`),
    ]),
  ]
}

/** A rollout may rename hundreds; `--json` has all. */
const mostRenamed = 3

/** Findings of these are neither new nor resolved. */
function renamedNotes({
  renamed_workloads: renamed = [],
  renamed_findings_count: many = 0,
}: ReceivedComparison): Note[] {
  if (renamed.length === 0) return []
  const names = renamed.map(({ namespace, from, to, is_probable: isProbable }) => {
    const [before, after] = [namespace === '' ? from : `${namespace}/${from}`, to].map((text) => ({
      text,
      reveals: 'resource' as const,
    }))
    return say`${before} \u2192 ${after}${isProbable ? ' (probably)' : ''}`
  })
  const what = `${count(renamed.length, 'workload')}, ${count(many, 'finding')}`
  return [noteIn('soft', say`Renamed: ${safe(what)}: ${firstOf(names, mostRenamed)}`)]
}

/** Faults on more pods of a workload that grew: they are changed findings, as their share of the pods did not rise. */
function grownNotes({ changed_findings: changed = [] }: ReceivedComparison): Note[] {
  const grown = grownAmong(changed).map(
    ({ check_id, resource, from, to }) =>
      say`${named('check', check_id)} ${named('resource', resource ?? '')} ${safe(`${shareText(from.count, from.of)} → ${shareText(to.count, to.of)}`)}`,
  )
  return grown.length === 0 ? [] : [noteIn('warn', say`Worse on more pods: ${firstOf(grown, mostRenamed)}`)]
}

function toTable(found: ReceivedComparison, kind: ChangeKind): ChangeTable {
  const { list, total } = toChanges(found, kind)
  const { title, tone } = kinds[kind]
  return {
    kind,
    tone,
    key: kind,
    heading: title,
    total,
    title: `${title} findings, the worst first`,
    columns: findingTables.changes,
    rows: list.toSorted((a, b) => bySeverity(a, b) || (a.check_id ?? '').localeCompare(b.check_id ?? '', 'en')),
  }
}

const reasonTexts: Record<IncomparableFindings['reason'], string> = {
  check_not_run: 'The check did not run in one of the scans',
  check_not_in_scope: 'The check is in the scope of one scan only',
  check_withdrawn: 'The newer version of the scanner no longer has the check',
  subject_not_in_run: 'One of the scans is not about this image, folder or tool',
  part_not_in_run: 'One of the scans did not look at this kind of check',
  namespace_not_in_scope: 'The namespace is in the scope of one scan only',
  another_scanner: 'The earlier run is from another scanner',
  not_listed: 'The later report lists fewer findings than it counts',
  report_missing: 'The workload has no report in the later scan',
  another_check: 'The other scan has another check under this id',
  takes_turns: 'The scanner gives two checks this id, and reports one of them in each scan',
}

const incomparableColumns = Object.values(
  columnsOf<IncomparableFindings>()({
    check: { text: ({ check_id }) => check_id, reveals: 'check' },
    name: { text: ({ check_name }) => check_name, reveals: 'check' },
    findings: { text: ({ count }) => String(count), reveals: 'safe', align: 'right' },
    reason: {
      text: ({ reason, detail }) => `${reasonTexts[reason]}${detail ? `: ${detail}` : ''}`,
      said: ({ reason, detail }) => say`${safe(reasonTexts[reason])}${detail && say`: ${detail}`}`,
      reveals: 'text',
    },
  }),
)

function incomparableTable(rows: IncomparableFindings[]) {
  if (rows.length === 0) return undefined
  const title = 'Neither new nor resolved: one of the two scans could not see them'
  return { key: 'incomparable', title, columns: incomparableColumns, rows }
}

interface RiskPathChange {
  id: string
  name: string
  change: 'opened' | 'closed' | 'not compared'
  isCompared: boolean
  note: string | null
}

const changeTones: Record<RiskPathChange['change'], Tone> = { opened: 'bad', closed: 'good', 'not compared': 'warn' }

const riskPathColumns = Object.values(
  columnsOf<RiskPathChange>()({
    change: { text: ({ change }) => change, tone: ({ change }) => changeTones[change], reveals: 'safe' },
    risk_path: { text: ({ id, name }) => `${id} ${name}`, reveals: 'check' },
    note: { text: ({ note }) => note, reveals: 'text' },
  }),
)

function riskPathTable({ risk_paths: paths }: ReceivedComparison) {
  if (!paths) return undefined
  const rows: RiskPathChange[] = [
    ...(['opened', 'closed'] as const).flatMap((change) =>
      paths[change].map(({ id, name, summary }) => ({ id, name, change, isCompared: true, note: summary })),
    ),
    ...paths.incomparable.map(({ id, name, reason }) => ({
      id,
      name,
      change: 'not compared' as const,
      isCompared: false,
      note: reason,
    })),
  ]
  return rows.length === 0
    ? undefined
    : { key: 'risk_paths', title: 'Risk paths that changed', columns: riskPathColumns, rows }
}
