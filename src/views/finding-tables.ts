import { type FindingColumn, findingColumns, type ShownFinding } from './finding.ts'
import type { ViewColumn } from './view.ts'

type Forgotten<Shown extends FindingColumn, Omitted extends FindingColumn> = Exclude<FindingColumn, Shown | Omitted>

/** Columns in order. A column that is neither shown nor omitted is a type error. */
function toTable<const Shown extends FindingColumn, const Omitted extends FindingColumn>(
  shown: readonly Shown[],
  _omitted: [Forgotten<Shown, Omitted>] extends [never] ? readonly Omitted[] : Forgotten<Shown, Omitted>,
) {
  return shown.map((key) => findingColumns[key])
}

/** One line per finding: texts are truncated, but complete in `findings show` and with `-o wide`. */
const inOneLine = (columns: ViewColumn<ShownFinding>[]) =>
  columns.map((column) => {
    const min = leastOfLine[column.key]
    return min === undefined ? column : { ...column, min, cut: true }
  })

const leastOfLine: Record<string, number> = { cluster: 19, place: 16, message: 14 }

/** Columns that most tables omit together. */
const ofChange = ['change', 'previous_severity'] as const
const ofCluster = ['state', 'cluster', 'owner', 'first_seen', 'scanned'] as const
const ofFile = ['value', 'count', 'fingerprint', 'is_unrated'] as const
const elsewhere = ['id', 'place', ...ofChange, ...ofCluster, ...ofFile] as const

const changes = toTable(
  ['severity', 'check', 'place', 'message'],
  ['id', 'check_name', 'namespace', 'resource', ...ofChange, ...ofCluster, ...ofFile],
)

/** Columns of each table of findings. */
export const findingTables = {
  /** `relt findings list` and its CSV and Markdown; columns without content are omitted. */
  list: inOneLine(
    toTable(
      ['id', 'severity', 'state', 'cluster', 'owner', 'check', 'place', 'message', 'first_seen'],
      ['check_name', 'namespace', 'resource', 'scanned', ...ofChange, ...ofFile],
    ),
  ),
  page: toTable(
    [
      'severity',
      'state',
      'message',
      'namespace',
      'resource',
      'check',
      'check_name',
      'cluster',
      'owner',
      'first_seen',
      'scanned',
    ],
    ['id', 'place', ...ofChange, ...ofFile],
  ),
  /** One kind of change, on a terminal. */
  changes,
  changesInLines: inOneLine(changes),
  /** All changes, for CSV and Markdown. */
  changeData: toTable(
    ['change', 'severity', 'previous_severity', 'check', 'namespace', 'resource', 'message', 'count'],
    ['id', 'check_name', 'place', 'value', 'fingerprint', 'is_unrated', ...ofCluster],
  ),
  pageOfChanges: toTable(['severity', 'message', 'namespace', 'resource', 'check', 'check_name'], elsewhere),
  /** Changes in the HTML report of a run. */
  reportOfChanges: toTable(['severity', 'check', 'check_name', 'namespace', 'resource', 'message'], elsewhere),
  /** Findings below the heading of their check. */
  ofCheck: toTable(['namespace', 'resource', 'message'], ['severity', 'check', 'check_name', ...elsewhere]),
  /** The file next to an HTML report. */
  file: toTable(
    ['severity', 'check', 'check_name', 'namespace', 'resource', 'message', ...ofFile],
    ['id', 'place', ...ofChange, ...ofCluster],
  ),
}
