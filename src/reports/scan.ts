import type { FindingCounts, FindingSeverity, ReportFormat } from '../contract/scan-finding.ts'
import type { Artifacts } from './artifact.ts'
import type { FindingIndex } from './finding-index.ts'
import type { Guidance } from './guidance.ts'
import type { Subject } from './ledger.ts'
import type { Scope } from './read.ts'

/** A check that did not run; `reason` is the scanner's own message. */
export interface NotRunCheck {
  id: string
  name: string
  reason: string
  /** What its findings would have, if the report states it. */
  severity?: FindingSeverity
  /** Its weight in the scanner's score. */
  weight?: number
}

/** Image reference → ids of advisories. */
export type ImageAdvisories = Record<string, string[]>

/** The format that reports of all scanners are converted to. */
export interface Scan {
  format: ReportFormat
  /** What it is about, at least one. */
  subjects: Subject[]
  clusterName: string | undefined
  /** Unix seconds. */
  generatedAt: number | undefined
  /** Score from 0 to 100. */
  score: { value: number; source: 'scanner' | 'computed' } | undefined
  totalChecks: number
  /** Number of checks with findings. Passed checks are the total minus these and those that did not run. */
  failedChecks: number
  /** Checks in the report that could not run, so they neither passed nor failed. */
  checksNotRun: NotRunCheck[]
  findings: FindingCounts
  /** Parts of the report that the scan ignores, one sentence each. */
  warnings?: string[]
  /** The report shows that the scan covered something, although it may name no check. If absent, the checks decide. */
  lookedAt?: boolean
  /** Packages were scanned for vulnerabilities: if none is listed, none was found. */
  vulnerabilityScan?: boolean
  scope: Scope
  artifacts: Artifacts
  /** Image reference → ids of advisories about packages inside the image. */
  imageAdvisories?: ImageAdvisories
  index: FindingIndex
  guidance: Guidance
}
