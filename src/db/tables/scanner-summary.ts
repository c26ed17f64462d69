import type { ReportFormat } from '../../contract/scan-finding.ts'

/** What the latest run of a scanner changed in a cluster. Deleting the summary of the cluster deletes it. */
export interface ScannerSummaryTable {
  cluster_id: number
  format: ReportFormat
  /** The latest run. */
  run_id: number
  /** The run that it was compared with; null for a first run, whose counts of changes are null, too. */
  from_run_id: number | null
  score_delta: number | null
  /** 1: both scores rest on the same checks and namespaces. */
  is_score_comparable: number | null
  new_findings: number | null
  new_critical: number | null
  new_high: number | null
  regressed_findings: number | null
  regressed_critical: number | null
  regressed_high: number | null
  resolved_findings: number | null
}
