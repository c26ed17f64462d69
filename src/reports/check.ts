import type { FindingSeverity } from '../contract/scan-finding.ts'

/** A check whose rows are not read yet: a large report has too many of them to keep. */
export interface UnreadCheck extends Omit<ReportCheck, 'failed' | 'total'> {
  /** Rows suppressed by an annotation in the cluster; they are neither findings nor in `total`. */
  suppressed: unknown[]
  /** Reads all rows, once, and calls `onItem` with each that is a finding. Throws `invalid_json`. */
  read: (onItem: (row: unknown) => void) => ReportCheck
}

export interface ReportCheck {
  id: string
  name: string
  category: string
  severity: FindingSeverity
  resourceKind: string
  failed: boolean
  /** Why the check did not run, in the scanner's words. It then neither passed nor failed. */
  notRun: string | undefined
  /** How many findings the scanner counts; it may list fewer. */
  total: number
  /** Weight of the check in the scanner's score. */
  weight?: number | undefined
  /** How to fix the findings, in plain text. */
  recommendation?: string | undefined
  url?: string | undefined
}
