import type { FindingCounts, ReportFormat } from '../contract/cluster-report.ts'
import type { Artifacts } from './artifact.ts'
import type { FindingIndex } from './finding-index.ts'
import type { Scope } from './read.ts'

/** `reason` is the scanner's own sentence. */
export interface NotRunCheck {
  id: string
  name: string
  reason: string
}

/** What the report of any scanner comes down to. */
export interface Scan {
  format: ReportFormat
  clusterName: string | undefined
  /** Unix seconds. */
  generatedAt: number | undefined
  /** 0–100. */
  score: { value: number; source: 'scanner' | 'computed' } | undefined
  totalChecks: number
  failedChecks: number
  /** Checks that are in the report and say nothing, since they could not run. */
  checksNotRun: NotRunCheck[]
  findings: FindingCounts
  scope: Scope
  artifacts: Artifacts
  index: FindingIndex
}
