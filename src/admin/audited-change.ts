import type { Lock } from '../db/lock.ts'

/** A change and its entry in the audit. */
export interface AuditedChange {
  lock: Lock
  action: string
  subject: string
}
