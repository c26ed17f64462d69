import type { FreshnessItem } from '../contract/freshness.ts'
import type { KnownProject } from './catalog-view.ts'
import type { Match } from './match.ts'
import type { ReleaseList } from './releases.ts'
import type { Version } from './versions.ts'

/** An artifact to assess, with its project. */
export interface AssessmentSubject {
  type: FreshnessItem['artifact_type']
  key: string
  /** Common short form of the name. */
  name: string
  /** The name without the version in `currentVersion`. */
  shortName: string
  source: FreshnessItem['source']
  places: { namespace: string | null; workload: string | null }[]
  match: Match
  /** Name of a chart. */
  chart?: string | undefined
  /** The releases that it is compared with: a project's or a chart's. `by`: another project that publishes them. */
  releases: { of: string; list: ReleaseList; by?: KnownProject } | undefined
  /** Version as reported by the cluster; null if unknown. */
  currentVersion: string | null
  current: Version | undefined
  /** The project's version in a vendor's tag, or the app version by which a chart is judged. */
  upstreamVersion?: string | undefined
  /** For Kubernetes: the id of the managed offering. */
  offering?: string | undefined
  /** Why there is nothing to compare, if `current` is undefined. */
  unreadable: string
}

/** Whether a chart is judged by its app, because the catalog has no releases of the chart. */
export const isByApp = ({ chart, upstreamVersion }: AssessmentSubject) =>
  chart !== undefined && upstreamVersion !== undefined
