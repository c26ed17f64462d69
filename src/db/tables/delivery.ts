import type { Generated } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import type { DeliveryState } from '../../contract/delivery.ts'
import type { DeliveryKind } from '../../contract/subscription.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** The outbox: a message, and what became of it. */
export interface DeliveryTable {
  id: Generated<number>
  /** `msg_…`; the same in all attempts. */
  public_id: string
  user_id: number
  created_at: UnixSeconds
  kind: DeliveryKind
  channel: ChannelName
  /** Null: of an earlier release, or skipped without an address. */
  target_id: number | null
  /** Shortened: no secret of a webhook's address. */
  target: string
  subscription_id: number | null
  project_id: number | null
  version: string | null
  /** JSON list of ids in the event log. */
  event_ids: string | null
  /** JSON, see `StoredDigest`. */
  digest: string | null
  status: DeliveryState
  /** Null when it is finished. */
  not_before: UnixSeconds | null
  /** Finished ones. */
  attempts: number
  http_status: number | null
  error: string | null
  finished_at: UnixSeconds | null
}
