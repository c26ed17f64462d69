import type { ReceivedFeedItem } from '../contract/received/subscription.ts'
import { severityRank } from '../contract/severity-rank.ts'
import { securityText } from './release.ts'

/** The releases of one project in the time that was asked for. */
export interface ProjectReleases {
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
    worst: all.toSorted((a, b) => rankFor(a) - rankFor(b))[0]!,
    widest: all.toSorted((a, b) => (b.affects?.clusters ?? 0) - (a.affects?.clusters ?? 0))[0]!,
  }))
}

/** A fix of unknown severity is worse than none. */
const rankFor = (release: ReceivedFeedItem): number =>
  securityText(release) === null ? Number.POSITIVE_INFINITY : severityRank(release.security_severity)
