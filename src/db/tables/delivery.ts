import type { Generated } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import type { DeliveryKind, DeliveryLog } from '../../contract/subscription.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** A notification that was asked for, and what became of it. */
export interface DeliveryTable {
  id: Generated<number>
  user_id: number
  created_at: UnixSeconds
  kind: DeliveryKind
  channel: ChannelName
  /** Shortened: no secret of a webhook's address. */
  target: string
  subscription_id: number | null
  project_id: number | null
  version: string | null
  status: DeliveryLog['status']
  attempts: number
  http_status: number | null
  error: string | null
}
