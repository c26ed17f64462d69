import type { ReceivedFeedItem } from '../../../contract/received/subscription.ts'
import { severityRank } from '../../../contract/severity-rank.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { count, number } from '../../../util/words.ts'
import { securityText, securityTone, securityWord } from '../../../views/release.ts'
import type { Io } from '../../output/io.ts'

/** The releases of one project in the time that was asked for. */
interface ProjectReleases {
  releases: number
  /** A release of the app if there is one, else of a chart. */
  newest: ReceivedFeedItem
  /** The release that fixes the most severe advisory. */
  worst: ReceivedFeedItem
  /** That which affects most clusters. */
  widest: ReceivedFeedItem
}

/** One row a project, in the order of their newest releases. */
export function groupByProject(releases: ReceivedFeedItem[]): ProjectReleases[] {
  const projects = Map.groupBy(releases, ({ product_id, name }) => product_id ?? name)
  return [...projects.values()].map((all) => ({
    releases: all.length,
    newest: all.find(({ type }) => type === 'app') ?? all[0]!,
    worst: all.toSorted((a, b) => rankOf(a) - rankOf(b))[0]!,
    widest: all.toSorted((a, b) => (b.affects?.clusters ?? 0) - (a.affects?.clusters ?? 0))[0]!,
  }))
}

/** A fix of unknown severity is worse than none. */
const rankOf = (release: ReceivedFeedItem): number =>
  securityText(release) === null ? Number.POSITIVE_INFINITY : severityRank(release.security_severity)

const worstText = ({ newest, worst }: ProjectReleases): string =>
  securityText(worst) === null || worst === newest ? securityWord(newest) : `${securityWord(worst)} (${worst.version})`

export const projectColumns = ({ color, isTerminal, ...io }: Io, now: number): Column<ProjectReleases>[] => [
  { title: 'Project', value: ({ newest }) => newest.name, style: (cell) => color.bold(cell), min: 14, cut: true },
  { title: 'Version', value: ({ newest }) => newest.version, min: 12, cut: true },
  { title: 'Type', value: ({ newest }) => newest.type, from: 60 },
  { title: 'Releases', value: ({ releases }) => number(releases), align: 'right' },
  { title: 'Published', value: ({ newest }) => when(newest.published_at, { isTerminal, now }), from: 60 },
  {
    title: 'Security',
    value: worstText,
    style: (cell, { worst }) => paint({ color, ...io }, securityTone(worst))(cell),
    min: 12,
    cut: true,
  },
]

export const affectsColumn: Column<ProjectReleases> = {
  title: 'Affects',
  value: ({ widest: { affects } }) =>
    affects ? `${count(affects.clusters, 'cluster')}${affects.is_certain === false ? ' ?' : ''}` : '',
}
