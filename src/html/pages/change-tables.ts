import type { Comparison } from '../../contract/cluster-report.ts'
import type { Finding, FindingSeverity } from '../../contract/scan-finding.ts'
import { breakable, clean, html, type Markup, number, unbroken } from '../markup.ts'
import { measured, placeCells, severityMark } from '../report/words.ts'
import { showTable } from './page-table.ts'
import type { PageColumn, View } from './view.ts'

/** A finding of any kind of change; each kind has some of the members. */
type Change = Finding & {
  previous_severity?: FindingSeverity | undefined
  count_delta?: number | undefined
  from?: { message: string; value: string | null } | undefined
  reason?: string | null
  until?: string | null
}

type Kind = [id: string, title: string, list: Change[], total: number]

function kindsOf(found: Comparison): Kind[] {
  const { first_seen_findings: seen = [], back_in_scope_findings: back = [] } = found
  const inNewScope: Kind[] = [
    ['first-seen', 'First seen', seen, seen.length],
    ['back-in-scope', 'Back in scope', back, back.length],
  ]
  return [
    ['regressed', 'Regressed', found.regressed_findings, found.regressed_findings_count],
    ['new', 'New', found.new_findings, found.new_findings_count],
    ...inNewScope.filter(([, , , total]) => total > 0),
    ['changed', 'Changed', found.changed_findings ?? [], found.changed_findings_count ?? 0],
    ['suppressed', 'Newly suppressed', found.suppressed_findings ?? [], found.suppressed_findings_count ?? 0],
    ['resolved', 'Resolved', found.resolved_findings, found.resolved_findings_count],
  ]
}

/** `1 regressed, 3 new, …`. */
export function countsOf(found: Comparison): string {
  const parts = kindsOf(found).map(([, title, , total]) => `${number(total)} ${title.toLowerCase()}`)
  return [
    ...parts,
    `${number(found.unchanged_findings_count)} unchanged`,
    `${number(found.incomparable_findings_count)} not comparable`,
  ].join(', ')
}

const order = ['critical', 'high', 'medium', 'low', 'info']

/** A table for each kind of change, the worst first; each shows at most so many rows and its downloads have all. */
export function changeTables(view: View, found: Comparison, most: number): Markup {
  const { run_id } = found.to
  return html`${kindsOf(found).map(
    ([id, title, list]) =>
      list.length > 0 &&
      html`<h3>${title} (${number(list.length)})</h3>
${showTable(view, {
  id,
  caption: `${title} findings, the worst first`,
  columns: columnsOf(view, id === 'resolved' ? found.from.run_id : run_id),
  rows: list.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)),
  json: list,
  empty: '',
  most,
})}`,
  )}`
}

function columnsOf(view: View, run_id: string): PageColumn<Change>[] {
  return [
    {
      title: 'Severity',
      value: ({ severity, previous_severity: before }) =>
        before ? html`${severityMark(severity)}, was ${before}` : severityMark(severity),
      text: ({ severity }) => severity,
    },
    {
      title: 'Finding',
      value: (finding) =>
        view.link(`/findings/${finding.fingerprint}`, clean(finding.message, 400) || '(no text)', { run_id }),
      text: ({ message }) => message,
    },
    { title: 'Note', value: noteOf },
    { title: 'Namespace', value: namespaceCell, text: ({ namespace }) => namespace },
    { title: 'Resource', value: (finding) => placeCells(finding).resource, text: ({ resource }) => resource },
    { title: 'Check', value: ({ check_id, check_name }) => `${clean(check_id, 100)} ${clean(check_name, 200)}` },
  ]
}

export function namespaceCell(finding: Pick<Finding, 'namespace' | 'resource'>): Markup | string {
  const { namespace } = placeCells(finding)
  return namespace === '-' ? namespace : unbroken(namespace)
}

function noteOf({ value, count, count_delta, from, reason, until, message }: Change): Markup | string {
  const was = from && (from.message === message ? `was ${from.value ?? 'nothing'}` : `was: ${from.message}`)
  const notes = [
    was,
    measured(value),
    count_delta ? `${count_delta > 0 ? '+' : ''}${count_delta}` : (count ?? 1) > 1 ? `${count} times` : '',
    reason,
    until && `until ${until}`,
  ]
  const text = clean(notes.filter(Boolean).join(', '), 400)
  return text ? breakable(text) : '-'
}
