import type { FindingGroup, FindingsOfRun, TopCheck } from '../contract/finding.ts'
import { number } from '../util/words.ts'
import { named, type Said, safe } from './said.ts'
import { severityText } from './severity.ts'
import { titled, titles } from './titles.ts'
import type { ViewColumn } from './view.ts'

/** A check with findings, of one run or of several. */
export type ShownCheck = Pick<FindingsOfRun['checks'][number], 'check_id' | 'check_name' | 'rows' | 'recommendation'> &
  Pick<TopCheck, 'severity'> & { points: number | null; clusters?: number }

type Severe = Pick<TopCheck, 'severity'>

/** Sorts by the points that the score would gain, highest first. */
export const byPoints = (a: Pick<ShownCheck, 'points'>, b: Pick<ShownCheck, 'points'>): number =>
  (b.points ?? 0) - (a.points ?? 0)

/** Severity of the worst finding, as text and color. */
export const severityFor = ({ severity }: Severe): Said => [safe(severityText(severity), severity ?? 'unknown')]

/** For a file that does not list all rows. */
export const leftOutSaid = (shown: number, all: number): Said => [
  safe(`${number(shown)} of ${number(all)} different findings are listed.`, 'warn'),
]

const severityColumn = {
  ...{ ...titled('severity'), reveals: 'safe' as const },
  text: ({ severity }: Severe) => severityText(severity),
  data: ({ severity }: Severe) => severity,
  tone: ({ severity }: Severe) => severity ?? ('unknown' as const),
}

/** A numeric column: with thousands separators for users, plain for programs. */
const counted = <Row>(key: string, title: string, of: (row: Row) => number): ViewColumn<Row> => ({
  ...{ key, title, reveals: 'safe', width: { align: 'right', from: 60 } },
  text: (row) => number(of(row)),
  data: of,
})

const columns = {
  points: {
    ...{ key: 'points', title: 'Points', reveals: 'safe', width: { align: 'right' } },
    text: ({ points }) => (points === null ? null : `+${points.toFixed(2)}`),
    tone: () => 'strong',
  },
  check: {
    ...{ ...titled('check'), text: ({ check_id }) => check_id, reveals: 'check', width: { min: 7 } },
    said: ({ check_id, check_name }) => [
      named('check', `${check_id} ${check_name}`, { link: { page: 'check', check_id } }),
    ],
  },
  name: { ...titled('name'), text: ({ check_name }) => check_name, reveals: 'check', width: { min: 14, cut: true } },
  severity: severityColumn,
  rows: counted<ShownCheck>('rows', 'Rows', ({ rows }) => rows),
  clusters: counted<ShownCheck>('clusters', titles.clusters, ({ clusters = 1 }) => clusters),
  fix: {
    ...{ ...titled('fix'), reveals: 'check', width: { min: 20, cut: true, from: 50 } },
    text: ({ recommendation }) => recommendation ?? 'The report recommends nothing.',
    brief: ({ recommendation }) => recommendation ?? '',
    data: ({ recommendation }) => recommendation,
  },
} satisfies Record<string, ViewColumn<ShownCheck>>
export const checkColumns: Record<keyof typeof columns, ViewColumn<ShownCheck>> = columns

/** Columns for groups of findings; the medium states what they are grouped by. */
const groups = {
  severity: severityColumn,
  findings: counted<FindingGroup>('findings', titles.findings, ({ findings }) => findings),
  rows: counted<FindingGroup>('rows', 'Rows', ({ rows }) => rows),
  clusters: counted<FindingGroup>('clusters', titles.clusters, ({ clusters }) => clusters),
} satisfies Record<string, ViewColumn<FindingGroup>>
export const groupColumns: Record<keyof typeof groups, ViewColumn<FindingGroup>> = groups
/** `namespace` → `Namespace` */
export const groupTitle = (by: string): string => by[0]!.toUpperCase() + by.slice(1)
