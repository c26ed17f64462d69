import type { FindingCounts, ReportFormat } from '../contract/scan-finding.ts'
import type { Artifacts } from './artifact.ts'
import type { FindingIndex } from './finding-index.ts'
import type { Guidance } from './guidance.ts'
import type { Scope } from './read.ts'

/** `reason` is the scanner's own sentence. */
export interface NotRunCheck {
  id: string
  name: string
  reason: string
}

/** Ids by image reference. */
export type ImageAdvisories = Record<string, string[]>

/** The common form of all scanners' reports. */
export interface Scan {
  format: ReportFormat
  clusterName: string | undefined
  /** Unix seconds. */
  generatedAt: number | undefined
  /** 0–100. */
  score: { value: number; source: 'scanner' | 'computed' } | undefined
  totalChecks: number
  /** Checks with findings. The passed checks are the total without these and without those that did not run. */
  failedChecks: number
  /** Checks that are in the report and say nothing, since they could not run. None of them failed. */
  checksNotRun: NotRunCheck[]
  findings: FindingCounts
  /** Parts of the report that the scan leaves out, one sentence each. */
  warnings?: string[]
  /** The report shows that something was looked at, although it may name no check. Absent: its checks decide. */
  lookedAt?: boolean
  /** Vulnerabilities of packages were looked for: where none is listed, none was found. */
  vulnerabilityScan?: boolean
  scope: Scope
  artifacts: Artifacts
  /** Ids of advisories by image reference, as the scanner lists them about the packages inside. */
  imageAdvisories?: ImageAdvisories
  index: FindingIndex
  guidance: Guidance
}
