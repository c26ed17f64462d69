import type { FindingSeverity } from '../contract/scan-finding.ts'

/** A check with its findings; these are handed over once and not kept. */
export interface CheckWithItems extends ReportCheck {
  items: unknown[]
  /** Rows that an annotation in the cluster suppresses; they are in neither `items` nor `total`. */
  suppressed: unknown[]
}

export interface ReportCheck {
  id: string
  name: string
  category: string
  severity: FindingSeverity
  resourceKind: string
  failed: boolean
  /** Why it did not run, in the scanner's words: then it has neither passed nor failed. */
  notRun: string | undefined
  /** How many findings the scanner counts; it may list fewer. */
  total: number
  /** Share of the check in the scanner's score. */
  weight?: number | undefined
  /** How to fix its findings, in plain text. */
  recommendation?: string | undefined
  url?: string | undefined
}
