import type { ReportFormat } from '../../contract/scan-finding.ts'

/** The changes between the two runs that a scanner's summary compares. Deleting the summary deletes them. */
export interface ScannerChangeTable {
  cluster_id: number
  format: ReportFormat
  /** Copies of records of the newer run: its new findings. */
  new_records: Uint8Array
  /** The same of its regressed findings. */
  regressed_records: Uint8Array
  /** Findings that cannot be compared. */
  incomparable_findings: number
}
