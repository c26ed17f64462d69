import type { ReceivedFeedItem } from '../contract/received/subscription.ts'
import { severityRank } from '../contract/severity-rank.ts'
import { securityText } from './release.ts'

/** Releases of one project in the requested period. */
export interface ProjectReleases {
  releases: number
  /** The newest app release, or else the newest chart release. */
  newest: ReceivedFeedItem
  /** The release that fixes the most severe advisory. */
  worst: ReceivedFeedItem
  /** The release that concerns most clusters. */
  widest: ReceivedFeedItem
}

/** One row per project, sorted by their newest releases. */
export function groupByProject(releases: ReceivedFeedItem[]) {
  return [...Map.groupBy(releases, ({ product_id, name }) => product_id ?? name).values()].map((all) => ({
    releases: all.length,
    newest: all.find(({ type }) => type === 'app') ?? all[0]!,
    worst: all.toSorted((a, b) => rankFor(a) - rankFor(b))[0]!,
    widest: all.toSorted((a, b) => (b.affects?.clusters ?? 0) - (a.affects?.clusters ?? 0))[0]!,
  }))
}

/** A fix of unknown severity ranks above no fix. */
const rankFor = (release: ReceivedFeedItem) =>
  securityText(release) === null ? Number.POSITIVE_INFINITY : severityRank(release.security_severity)
