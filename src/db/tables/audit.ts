import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

/** The audit log. The user of an entry may have been removed. */
export interface AuditTable {
  id: Generated<number>
  at: UnixSeconds
  user_id: number | null
  login: string | null
  action: string
  subject: string | null
  request_id: string | null
}
