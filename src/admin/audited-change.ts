import type { Lock } from '../db/lock.ts'

/** A change, with the data for its audit entry. */
export interface AuditedChange {
  lock: Lock
  action: string
  subject: string
}
