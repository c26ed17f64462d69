import type { FindingGroup, FindingsOfRun, TopCheck } from '../contract/finding.ts'
import { number } from '../util/words.ts'
import { named, type Said, safe } from './said.ts'
import { severityText } from './severity.ts'
import { columnsOf, counted } from './view.ts'

/** A check with findings, of one run or of several. */
export type ShownCheck = Pick<FindingsOfRun['checks'][number], 'check_id' | 'check_name' | 'rows' | 'recommendation'> &
  Pick<TopCheck, 'severity'> & { points: number | null; clusters?: number }

type Severe = Pick<TopCheck, 'severity'>

/** Sorts by the points that the score would gain, highest first. */
export const byPoints = (a: ShownCheck, b: ShownCheck) => (b.points ?? 0) - (a.points ?? 0)

/** Severity of the worst finding, as text and color. */
export const severityFor = ({ severity }: Severe): Said => [safe(severityText(severity), severity ?? 'unknown')]

/** For a file that does not list all rows. */
export const leftOutSaid = (shown: number, all: number): Said => [
  safe(`${number(shown)} of ${number(all)} different findings are listed.`, 'warn'),
]

const severityColumn = {
  text: ({ severity }: Severe) => severityText(severity),
  data: ({ severity }: Severe) => severity,
  tone: ({ severity }: Severe) => severity ?? 'unknown',
  reveals: 'safe' as const,
}

export const checkColumns = columnsOf<ShownCheck>()({
  points: {
    title: 'Points',
    reveals: 'safe',
    align: 'right',
    text: ({ points }) => (points === null ? null : `+${points.toFixed(2)}`),
    tone: () => 'strong',
  },
  check: {
    text: ({ check_id }) => check_id,
    reveals: 'check',
    min: 7,
    said: ({ check_id, check_name }) => [
      named('check', `${check_id} ${check_name}`, { link: { page: 'check', check_id } }),
    ],
  },
  name: { text: ({ check_name }) => check_name, reveals: 'check', min: 14, cut: true },
  severity: severityColumn,
  rows: { title: 'Rows', ...counted<ShownCheck>(({ rows }) => rows, { from: 60 }) },
  clusters: counted(({ clusters = 1 }) => clusters, { from: 60 }),
  fix: {
    reveals: 'check',
    min: 20,
    cut: true,
    from: 50,
    text: ({ recommendation }) => recommendation ?? 'The report recommends nothing.',
    brief: ({ recommendation }) => recommendation ?? '',
    data: ({ recommendation }) => recommendation,
  },
})

/** Columns for groups of findings; the medium states what they are grouped by. */
export const groupColumns = columnsOf<FindingGroup>()({
  severity: severityColumn,
  findings: counted(({ findings }) => findings, { from: 60 }),
  rows: { title: 'Rows', ...counted<FindingGroup>(({ rows }) => rows, { from: 60 }) },
  clusters: counted(({ clusters }) => clusters, { from: 60 }),
})
