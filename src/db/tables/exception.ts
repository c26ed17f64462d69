import type { Generated } from 'kysely'
import type { Sealed } from '../../util/seal.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** An exception of the gate. Its patterns and reason are sealed, since they name resources. */
export interface ExceptionTable {
  id: Generated<number>
  exception_id: string
  owner_id: number
  created_at: UnixSeconds
  /** Login. */
  created_by: string
  /** `YYYY-MM-DD`: the last day (UTC) on which it applies. */
  expires_on: string
  /** It no longer applies from then on: the end of that day, or when somebody ended it. */
  ends_at: UnixSeconds
  /** Login of who ended it before that day was over. */
  ended_by: string | null
  key_id: string
  sealed: Sealed
}
