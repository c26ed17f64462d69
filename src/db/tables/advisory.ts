import type { Severity } from '../../contract/shape.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** A database's answer about an advisory id. */
export interface AdvisoryTable {
  id: string
  /** 0: it knows none. */
  is_found: number
  /** A JSON array. */
  aliases: string
  severity: Severity
  summary: string
  looked_at: UnixSeconds
}
