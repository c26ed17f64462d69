import type { UnixSeconds } from '../../util/time.ts'

/** When the digest of an account is due, and where the last one ended. */
export interface DigestScheduleTable {
  user_id: number
  period: 'daily' | 'weekly'
  /** Hour, weekday and zone that `next_at` was computed by. */
  rule: string
  next_at: UnixSeconds
  /** End of the last digest. */
  since: UnixSeconds
  /** Id of the last event that a digest has considered. */
  last_event: number
}
