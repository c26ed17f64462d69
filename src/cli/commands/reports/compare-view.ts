import type { ReceivedComparison, ReceivedFinding, ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { scannedAt } from '../../../views/scan.ts'
import { isScoreComparable, judgeScoreChange, markedScore } from '../../../views/score.ts'
import { type Io, plain } from '../../output/io.ts'
import { number } from '../../output/number.ts'
import { count } from '../../output/remarks.ts'
import { type Column, renderTable } from '../../output/table.ts'
import { colorOfSeverity } from './severity.ts'

type ShownState = Pick<ReceivedFinding, 'message' | 'value'>
type ListedChange = ReceivedFinding & {
  previous_severity?: ReceivedFinding['severity'] | undefined
  count_delta?: number | undefined
  from?: ShownState | undefined
  to?: ShownState | undefined
  reason?: string | null
  until?: string | null
}

/** Regressed first: what was thought done matters most. */
export function renderComparison(io: Io, comparison: ReceivedComparison, limit = 15): string {
  const { color } = io
  return [
    renderTitle(io, comparison),
    `Score ${renderScores(io, comparison)}   ${renderTotals(io, comparison)}\n`,
    renderScope(io, comparison),
    renderIncomparable(io, comparison),
    renderRiskPaths(io, comparison),
    renderFindings(io, color.bold(color.magenta('Regressed')), comparison.regressed_findings, limit),
    renderFindings(io, color.bold(color.red('New')), comparison.new_findings, limit),
    renderFindings(
      io,
      color.bold(color.yellow('First seen, in a new scope')),
      comparison.first_seen_findings ?? [],
      limit,
    ),
    renderFindings(io, color.bold(color.yellow('Back in scope')), comparison.back_in_scope_findings ?? [], limit),
    renderFindings(io, color.bold(color.cyan('Changed')), comparison.changed_findings ?? [], limit),
    renderFindings(io, color.bold(color.yellow('Suppressed')), comparison.suppressed_findings ?? [], limit),
    renderFindings(io, color.bold(color.green('Resolved')), comparison.resolved_findings, limit),
  ].join('')
}

function renderTitle({ color }: Io, { cluster_name, environment, from, to }: ReceivedComparison): string {
  const name = (of: Pick<ReceivedRun, 'cluster_name' | 'environment'> | null) =>
    `${color.bold(plain(of?.cluster_name ?? 'Unknown cluster'))} (${plain(of?.environment ?? '-')})`
  if (!from || !to) return `${name({ cluster_name, environment })}  ${minuteOf(from)} → ${minuteOf(to)}\n`
  if (from.cluster_name === to.cluster_name && from.environment === to.environment) {
    const scanner = to.format === null || to.format === 'kubebuddy' ? '' : ` by ${to.format}`
    return `${name(to)}  ${minuteOf(from)} → ${minuteOf(to)}${scanner}\n`
  }
  const what = from.cluster_name === to.cluster_name ? 'two environments of one cluster' : 'two clusters'
  return [
    color.yellow(`These runs are of ${what}. New and resolved findings are differences, not changes over time.\n`),
    `${name(from)}  ${minuteOf(from)} → ${name(to)}  ${minuteOf(to)}\n`,
  ].join('')
}

function renderScores({ color }: Io, comparison: ReceivedComparison): string {
  const { from, to, score_delta } = comparison
  const [before, after] = [from, to].map((run) => markedScore(run?.score, run ?? {}) ?? '-')
  if (score_delta === null) return `${before} → ${after}`
  const kind = judgeScoreChange(score_delta, isScoreComparable(comparison))
  const paint = { worse: color.red, better: color.green, same: color.dim, unclear: color.yellow }[kind]
  const words = score_delta > 0 ? `+${score_delta}` : score_delta < 0 ? String(score_delta) : '±0'
  return `${before} → ${color.bold(after!)} ${paint(`${words}${kind === 'unclear' ? ', not comparable' : ''}`)}`
}

function renderTotals({ color }: Io, comparison: ReceivedComparison): string {
  const unchanged = comparison.unchanged_findings_count
  return [
    paintCount(comparison.new_findings_count ?? comparison.new_findings.length, 'new', color.red),
    paintCount(comparison.regressed_findings_count ?? comparison.regressed_findings.length, 'regressed', color.magenta),
    paintCount(comparison.resolved_findings_count ?? comparison.resolved_findings.length, 'resolved', color.green),
    ...someOf(comparison.first_seen_findings_count, 'first seen', color.yellow),
    ...someOf(comparison.changed_findings_count, 'changed', color.cyan),
    ...someOf(comparison.suppressed_findings_count, 'suppressed', color.yellow),
    ...someOf(comparison.incomparable_findings_count, 'not comparable', color.yellow),
    color.dim(`${unchanged == null ? '-' : number(unchanged)} unchanged`),
  ].join(', ')
}

function paintCount(count: number, word: string, paint: (text: string) => string): string {
  return count > 0 ? paint(`${number(count)} ${word}`) : `${count} ${word}`
}

function someOf(count: number | null | undefined, word: string, paint: (text: string) => string): string[] {
  return count ? [paint(`${number(count)} ${word}`)] : []
}

/** Checks without a comparison, because they did not run in one of the runs. */
function renderIncomparable({ color }: Io, { from, to, incomparable_findings }: ReceivedComparison): string {
  const groups = incomparable_findings ?? []
  const hidden = new Map(
    groups.filter(({ reason }) => reason === 'check_not_run').map(({ check_id, count }) => [check_id, count]),
  )
  const line = (when: string, run: ReceivedRun | null) => {
    if (!run?.not_run_checks) return ''
    const named = (run.checks_not_run ?? []).map(({ check_id, reason }) => {
      const count = hidden.get(check_id)
      return `${check_id} (${reason}${count ? `; ${count} findings not compared` : ''})`
    })
    const list = named.length > 0 ? `: ${shorten(named)}` : ''
    return `${count(run.not_run_checks, 'check')} did not run in ${when}${list}\n`
  }
  const gapsOf = (run: ReceivedRun | null) => JSON.stringify([run?.not_run_checks, run?.checks_not_run])
  const isSame = gapsOf(from) === gapsOf(to)
  const unlisted = groups.filter(({ reason }) => reason === 'not_listed')
  const notListed = unlisted.map(({ check_id, count }) => `${check_id} (${count})`)
  const notRunText = isSame ? line('either scan', to) : line('the earlier scan', from) + line('the later scan', to)
  return [
    notRunText && color.yellow(notRunText),
    notListed.length > 0
      ? color.yellow(`The later report lists fewer findings than it counts: ${shorten(notListed)}\n`)
      : '',
  ].join('')
}

/** Risk paths that opened, closed, or cannot be compared. */
function renderRiskPaths({ color }: Io, { risk_paths }: ReceivedComparison): string {
  if (!risk_paths) return ''
  const { opened, closed, incomparable } = risk_paths
  const named = (paths: { id: string; name: string }[]) => shorten(paths.map(({ id, name }) => `${id} ${name}`))
  return [
    opened.length > 0 ? color.red(`${count(opened.length, 'risk path')} opened: ${named(opened)}\n`) : '',
    closed.length > 0 ? color.green(`${count(closed.length, 'risk path')} closed: ${named(closed)}\n`) : '',
    incomparable.length > 0
      ? color.yellow(
          `${count(incomparable.length, 'risk path')} not compared: ${shorten(incomparable.map(({ id, reason }) => `${id} (${reason})`))}\n`,
        )
      : '',
  ].join('')
}

function renderScope({ color }: Io, { incomparable_findings_count, scope_changes }: ReceivedComparison): string {
  if (scope_changes === null) return ''
  const { namespaces_excluded, namespaces_included, checks_removed, checks_added } = scope_changes
  const parts = [
    ['namespaces no longer scanned', namespaces_excluded],
    ['namespaces newly scanned', namespaces_included],
    ['checks no longer run', checks_removed],
    ['checks newly run', checks_added],
  ] as const
  const changes = parts.filter(([, names]) => names.length > 0).map(([label, names]) => `${label}: ${shorten(names)}`)
  if (changes.length === 0) return ''
  return color.yellow(
    `The scope differs; ${incomparable_findings_count ?? 'some'} findings cannot be compared (${changes.join('; ')})\n`,
  )
}

function shorten(names: string[]): string {
  const shown = names.slice(0, 4).map(plain).join(', ')
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown
}

function renderFindings(io: Io, title: string, findings: ListedChange[], limit: number): string {
  if (findings.length === 0) return ''
  const rest = findings.length - limit
  const more = rest > 0 ? io.color.dim(`… and ${number(rest)} more; --limit ${findings.length} shows all\n`) : ''
  return `\n${title}\n${renderTable(io, columns(io), [...findings].sort(bySeverity).slice(0, limit))}${more}`
}

const columns = (io: Io): Column<ListedChange>[] => [
  {
    title: 'Severity',
    value: ({ severity, previous_severity }) =>
      previous_severity ? `${previous_severity} → ${severity ?? '-'}` : severity,
    style: (cell, finding) => colorOfSeverity(io, finding.severity)(cell),
  },
  { title: 'Check', value: (finding) => finding.check_id, min: 8 },
  { title: 'Resource', value: where, min: 16 },
  { title: 'Message', value: what, min: 14 },
]

/** With how often, and how it was before where it is the same finding. */
function what({ message, value, count, count_delta, from, to, reason, until }: ListedChange): string {
  const change = from && to ? ` (${describeChange(from, { message, value })})` : ''
  const many = count ?? 1
  const often = count_delta
    ? ` (${signed(count_delta)}, ${many} ${count_delta > 0 ? 'now' : 'before'})`
    : many > 1
      ? ` (×${many})`
      : ''
  const why = reason || until ? ` (${[reason, until && `until ${until}`].filter(Boolean).join(', ')})` : ''
  return `${message ?? '-'}${change}${often}${why}`
}

const signed = (count: number): string => (count > 0 ? `+${count}` : String(count))

function describeChange(from: ShownState, to: ShownState): string {
  const isOfValue = from.message === to.message
  return isOfValue ? `${from.value ?? 'nothing'} → ${to.value ?? 'nothing'}` : `was: ${from.message}`
}

function where({ namespace, resource }: ReceivedFinding): string {
  if (resource === null) return namespace ?? 'cluster'
  return namespace === null ? resource : `${namespace} ${resource}`
}

type ShownChange = ListedChange & {
  change: 'regressed' | 'new' | 'first seen' | 'back in scope' | 'changed' | 'suppressed' | 'resolved'
}

/** For formats that are data: every change, a row each. */
export function changesOf(comparison: ReceivedComparison): ShownChange[] {
  const { regressed_findings, new_findings, resolved_findings } = comparison
  const { changed_findings = [], suppressed_findings = [] } = comparison
  const { first_seen_findings = [], back_in_scope_findings = [] } = comparison
  const as = (change: ShownChange['change'], findings: ListedChange[]) =>
    [...findings].sort(bySeverity).map((finding) => ({ ...finding, change }))
  return [
    ...as('regressed', regressed_findings),
    ...as('new', new_findings),
    ...as('first seen', first_seen_findings),
    ...as('back in scope', back_in_scope_findings),
    ...as('changed', changed_findings),
    ...as('suppressed', suppressed_findings),
    ...as('resolved', resolved_findings),
  ]
}

export const changeColumns: Column<ShownChange>[] = [
  { title: 'Change', value: (finding) => finding.change },
  { title: 'Severity', value: (finding) => finding.severity },
  { title: 'Previous severity', value: (finding) => finding.previous_severity ?? '' },
  { title: 'Check', value: (finding) => finding.check_id },
  { title: 'Namespace', value: (finding) => finding.namespace ?? '' },
  { title: 'Resource', value: (finding) => finding.resource ?? '' },
  { title: 'Message', value: (finding) => finding.message },
  { title: 'Count', value: (finding) => String(finding.count_delta ?? finding.count ?? 1), align: 'right' },
]

const order = ['critical', 'high', 'medium', 'low', 'info']

function bySeverity(a: ReceivedFinding, b: ReceivedFinding): number {
  const rank = ({ severity }: ReceivedFinding) => (severity === null ? order.length : order.indexOf(severity))
  return rank(a) - rank(b) || (a.check_id ?? '').localeCompare(b.check_id ?? '')
}

const minuteOf = (run: ReceivedRun | null): string => (run && scannedAt(run)?.slice(0, 16)) ?? '-'
