import type { IncomparableFindings } from '../../contract/cluster-report.ts'
import type { ReceivedComparison, ReceivedFinding } from '../../contract/received/cluster-report.ts'
import type { FindingSeverity } from '../../contract/scan-finding.ts'
import { scannedAt } from '../../views/scan.ts'
import { clean, command, count, html, type Markup, number, time } from '../markup.ts'
import { type HtmlColumn, table } from '../table.ts'
import type { RunReport } from './report.ts'
import { measured, missingText, placeCells, severityMark } from './words.ts'

/** Any change of a comparison; each kind has some of the members. */
type Change = ReceivedFinding & {
  previous_severity?: FindingSeverity | null | undefined
  count_delta?: number | undefined
  from?: { message: string; value: string | null } | undefined
  reason?: string | null
  until?: string | null
}

const most = 300

type Kind = [title: string, list: Change[], total: number | null | undefined]

/** Regressed first: what was thought done matters most. */
export function renderChanges({ comparison }: RunReport): Markup {
  if (!comparison.found) return missingText(comparison.missing)
  const { found } = comparison
  const { from, to } = found
  const kinds: Kind[] = [
    ['Regressed', found.regressed_findings, found.regressed_findings_count],
    ['New', found.new_findings, found.new_findings_count],
    ...(found.first_seen_findings?.length ? [['First seen', found.first_seen_findings, null] as Kind] : []),
    ...(found.back_in_scope_findings?.length ? [['Back in scope', found.back_in_scope_findings, null] as Kind] : []),
    ['Changed', found.changed_findings ?? [], found.changed_findings_count],
    ['Newly suppressed', found.suppressed_findings ?? [], found.suppressed_findings_count],
    ['Resolved', found.resolved_findings, found.resolved_findings_count],
  ]
  const counts = kinds.map(([title, list, total]) => `${number(total ?? list.length)} ${title.toLowerCase()}`)
  const same = found.unchanged_findings_count
  return html`<p>Compared with the scan of ${time(from && scannedAt(from))}: ${counts.join(', ')}, ${same === null ? 'an unknown number' : number(same)} unchanged.</p>
${acrossNote(found)}${scopeNote(found)}
${kinds.map(([title, list]) => changeTable(title, list, { from, to }))}
${incomparableTable(found.incomparable_findings ?? [], found.incomparable_findings_count)}
${riskPathChanges(found)}`
}

export function acrossNote({ from, to }: ReceivedComparison): Markup | false {
  if (!from || !to) return false
  const isSame = from.cluster_name === to.cluster_name && from.environment === to.environment
  return (
    !isSame &&
    html`<p class="warn">The two runs are of different clusters or environments. New and resolved findings are differences, not changes over time.</p>`
  )
}

export function scopeNote({ scope_changes: scope }: ReceivedComparison): Markup | false {
  if (!scope) return false
  const parts = [
    ['Namespaces no longer scanned', scope.namespaces_excluded],
    ['Namespaces newly scanned', scope.namespaces_included],
    ['Checks no longer run', scope.checks_removed],
    ['Checks newly run', scope.checks_added],
  ] as const
  const changed = parts.filter(([, names]) => names.length > 0)
  return (
    changed.length > 0 &&
    html`<p class="warn">The scope of the two scans differs.</p><ul class="plain">${changed.map(
      ([label, names]) =>
        html`<li>${label}: ${clean(names.slice(0, 20).join(', '), 600)}${names.length > 20 && ` and ${names.length - 20} more`}</li>`,
    )}</ul>`
  )
}

const columns: HtmlColumn<Change>[] = [
  {
    title: 'Severity',
    value: ({ severity, previous_severity: before }) =>
      before ? html`${severityMark(severity)}, was ${before}` : severityMark(severity),
  },
  { title: 'Check', value: ({ check_id, check_name }) => `${clean(check_id, 100)} ${clean(check_name, 200)}` },
  { title: 'Namespace', value: (finding) => placeCells(finding).namespace },
  { title: 'Resource', value: (finding) => placeCells(finding).resource },
  { title: 'Finding', value: describe },
]

function describe({ message, value, count: many, count_delta, from, reason, until }: Change): string {
  const was = from && (from.message === message ? `was ${from.value ?? 'nothing'}` : `was: ${from.message}`)
  const notes = [
    was,
    message?.includes(measured(value)) ? '' : measured(value),
    count_delta ? `${count_delta > 0 ? '+' : ''}${count_delta}` : (many ?? 1) > 1 ? `${many} times` : '',
    reason,
    until && `until ${until}`,
  ].filter(Boolean)
  return clean([message ?? '-', ...(notes.length > 0 ? [`(${notes.join(', ')})`] : [])].join(' '), 500)
}

function changeTable(
  title: string,
  list: Change[],
  { from, to }: Pick<ReceivedComparison, 'from' | 'to'>,
): Markup | false {
  if (list.length === 0) return false
  const hasIds = from?.run_id && to?.run_id
  const rest =
    hasIds &&
    html`List them: ${command(`relt reports compare --from ${from.run_id} --to ${to.run_id} --limit ${list.length}`)}`
  return html`<h3>${title} (${number(list.length)})</h3>
${table(columns, [...list].sort(bySeverity), { caption: `${title} findings, the worst first`, most, ...(rest && { rest }) })}`
}

const order = ['critical', 'high', 'medium', 'low', 'info']
const rank = ({ severity }: ReceivedFinding): number => (severity === null ? order.length : order.indexOf(severity))

function bySeverity(a: ReceivedFinding, b: ReceivedFinding): number {
  return rank(a) - rank(b) || ((a.check_id ?? '') < (b.check_id ?? '') ? -1 : a.check_id === b.check_id ? 0 : 1)
}

const reasonWords: Record<IncomparableFindings['reason'], string> = {
  check_not_run: 'The check did not run in one of the scans',
  check_not_in_scope: 'The check is in the scope of one scan only',
  namespace_not_in_scope: 'The namespace is in the scope of one scan only',
  another_scanner: 'The earlier run is from another scanner',
  not_listed: 'The later report lists fewer findings than it counts',
}

export function incomparableTable(groups: IncomparableFindings[], total: number | null): Markup | false {
  if (groups.length === 0) {
    return (
      !!total && html`<p class="warn">${count(total, 'finding')} cannot be compared. The server does not say why.</p>`
    )
  }
  return html`<h3>Not comparable (${number(total ?? groups.reduce((sum, { count }) => sum + count, 0))})</h3>
${table(
  [
    { title: 'Check', value: ({ check_id, check_name }) => `${clean(check_id, 100)} ${clean(check_name, 200)}` },
    { title: 'Findings', value: (group) => number(group.count), align: 'right' },
    {
      title: 'Why',
      value: ({ reason, detail }) => clean(`${reasonWords[reason]}${detail ? `: ${detail}` : ''}`, 600),
    },
  ],
  groups,
  { caption: 'Neither new nor resolved: one of the two scans could not see them' },
)}`
}

export function riskPathChanges({ risk_paths: paths }: ReceivedComparison): Markup | false {
  if (!paths) return false
  const rows = [
    ...paths.opened.map((path) => ({ ...path, change: html`<span class="bad">opened</span>`, note: path.summary })),
    ...paths.closed.map((path) => ({ ...path, change: html`<span class="good">closed</span>`, note: path.summary })),
    ...paths.incomparable.map((path) => ({
      ...path,
      change: html`<span class="warn">not compared</span>`,
      note: path.reason,
    })),
  ]
  return (
    rows.length > 0 &&
    html`<h3>Risk paths</h3>
${table(
  [
    { title: 'Change', value: ({ change }) => change },
    { title: 'Risk path', value: (path) => `${clean(path.id, 100)} ${clean(path.name)}` },
    { title: 'Note', value: ({ note }) => clean(note, 500) },
  ],
  rows,
  { caption: 'Risk paths that changed' },
)}`
  )
}
