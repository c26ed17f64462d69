import { type FindingColumn, findingColumns, type ShownFinding } from './finding.ts'
import type { ViewColumn } from './view.ts'

type Forgotten<Shown extends FindingColumn, Omitted extends FindingColumn> = Exclude<FindingColumn, Shown | Omitted>

/** Columns in order. A column that is neither shown nor omitted is a type error. */
function toTable<const Shown extends FindingColumn, const Omitted extends FindingColumn>(
  shown: readonly Shown[],
  _omitted: [Forgotten<Shown, Omitted>] extends [never] ? readonly Omitted[] : Forgotten<Shown, Omitted>,
): ViewColumn<ShownFinding>[] {
  return shown.map((key) => findingColumns[key])
}

/** One line per finding: texts are truncated, but complete in `findings show` and with `-o wide`. */
const inOneLine = (columns: ViewColumn<ShownFinding>[]): ViewColumn<ShownFinding>[] =>
  columns.map((column) => {
    const min = leastOfLine[column.key]
    return min === undefined ? column : { ...column, min, cut: true }
  })

const leastOfLine: Record<string, number> = { cluster: 19, place: 16, message: 14 }

const changes = toTable(
  ['severity', 'check', 'place', 'message'],
  [
    ...(['id', 'change', 'previous_severity', 'check_name', 'namespace', 'resource', 'state', 'cluster'] as const),
    ...(['first_seen', 'scanned', 'value', 'count', 'fingerprint', 'is_unrated', 'owner'] as const),
  ],
)

/** Columns of each table of findings. */
export const findingTables = {
  /** `relt findings list` and its CSV and Markdown; columns without content are omitted. */
  list: inOneLine(
    toTable(
      ['id', 'severity', 'state', 'cluster', 'owner', 'check', 'place', 'message', 'first_seen'],
      [
        ...(['change', 'previous_severity', 'check_name', 'namespace', 'resource', 'scanned'] as const),
        ...(['value', 'count', 'fingerprint', 'is_unrated'] as const),
      ],
    ),
  ),
  page: toTable(
    [
      ...(['severity', 'state', 'message', 'namespace', 'resource', 'check', 'check_name'] as const),
      ...(['cluster', 'owner', 'first_seen', 'scanned'] as const),
    ],
    ['id', 'change', 'previous_severity', 'place', 'value', 'count', 'fingerprint', 'is_unrated'],
  ),
  /** One kind of change, on a terminal. */
  changes,
  changesInLines: inOneLine(changes),
  /** All changes, for CSV and Markdown. */
  changeData: toTable(
    ['change', 'severity', 'previous_severity', 'check', 'namespace', 'resource', 'message', 'count'],
    [
      'id',
      'check_name',
      'place',
      'state',
      'cluster',
      'first_seen',
      'scanned',
      'value',
      'fingerprint',
      'is_unrated',
      'owner',
    ],
  ),
  pageOfChanges: toTable(
    ['severity', 'message', 'namespace', 'resource', 'check', 'check_name'],
    [
      ...(['id', 'change', 'previous_severity', 'place', 'state', 'cluster', 'first_seen', 'scanned'] as const),
      ...(['value', 'count', 'fingerprint', 'is_unrated', 'owner'] as const),
    ],
  ),
  /** Changes in the HTML report of a run. */
  reportOfChanges: toTable(
    ['severity', 'check', 'check_name', 'namespace', 'resource', 'message'],
    [
      ...(['id', 'change', 'previous_severity', 'place', 'state', 'cluster', 'first_seen', 'scanned'] as const),
      ...(['value', 'count', 'fingerprint', 'is_unrated', 'owner'] as const),
    ],
  ),
  /** Findings below the heading of their check. */
  ofCheck: toTable(
    ['namespace', 'resource', 'message'],
    [
      ...(['id', 'change', 'severity', 'previous_severity', 'check', 'check_name', 'place', 'state'] as const),
      ...(['cluster', 'first_seen', 'scanned', 'value', 'count', 'fingerprint', 'is_unrated', 'owner'] as const),
    ],
  ),
  /** The file next to an HTML report. */
  file: toTable(
    [
      'severity',
      'check',
      'check_name',
      'namespace',
      'resource',
      'message',
      'value',
      'count',
      'fingerprint',
      'is_unrated',
    ],
    ['id', 'change', 'previous_severity', 'place', 'state', 'cluster', 'first_seen', 'scanned', 'owner'],
  ),
}
