import type { ReleaseType } from '../contract/project.ts'
import type { Severity } from '../contract/shape.ts'

/** A release as a source states it. */
export interface FoundRelease {
  type: ReleaseType
  /** Name of the chart, for chart releases and their pre-releases; otherwise empty. */
  chartName: string
  /** As published: the whole tag. */
  version: string
  appVersion: string | null
  /** The range of Kubernetes that a chart states. */
  kubeVersion?: string | undefined
  /** Unix seconds. */
  publishedAt: number
  /** For people to open, or empty. */
  url: string
  /** HTML, as foreign as its source. */
  notes: string
  security: SecurityHints | null
  /** Its time, and whether it is a pre-release, are guesses: what is known of it stays. */
  isRough?: true
  /** Its chart says so of itself. */
  isDeprecated?: true
}

/** Facts stated by the source itself. */
export interface SecurityHints {
  hasFix: boolean
  /** CVE and GHSA ids. */
  ids: string[]
  severity?: Severity
  summary?: string
  /** Web addresses. */
  links?: string[]
}
