import type { ReleaseType } from '../contract/project.ts'
import type { Severity } from '../contract/shape.ts'

/** A release as stated by a source. */
export interface FoundRelease {
  type: ReleaseType
  /** Name of the chart, for chart releases and their pre-releases; otherwise empty. */
  chartName: string
  /** As published: the whole tag. */
  version: string
  appVersion: string | null
  /** The Kubernetes version range that a chart states. */
  kubeVersion?: string | undefined
  /** Unix seconds. */
  publishedAt: number
  /** URL for users, or empty. */
  url: string
  /** HTML, untrusted. */
  notes: string
  security: SecurityHints | null
  /** Its time, and whether it is a pre-release, are guesses: known values stay. */
  isRough?: true
  /** The chart itself states that it is deprecated. */
  isDeprecated?: true
}

/** Facts stated by the source itself. */
export interface SecurityHints {
  hasFix: boolean
  /** CVE and GHSA ids. */
  ids: string[]
  severity?: Severity
  summary?: string
  /** Web URLs. */
  links?: string[]
}
