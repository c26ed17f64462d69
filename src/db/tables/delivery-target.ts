import type { Generated } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** One receiver: a channel of an account or of a subscription. Its messages are sent one after the other. */
export interface DeliveryTargetTable {
  id: Generated<number>
  user_id: number
  channel: ChannelName
  /** Null: the address of the account. */
  subscription_id: number | null
  /** When a sender has to look at it; while one sends, the end of its lease. Null: nothing waits. */
  next_at: UnixSeconds | null
  /** The sender that has it. */
  lease: string | null
  /** Null: the last attempt was successful, or there was none. */
  failing_since: UnixSeconds | null
  /** Null: it is on. */
  off_at: UnixSeconds | null
  off_reason: string | null
}
