import type { Generated } from 'kysely'
import type { WebhookName } from '../../contract/channels.ts'
import type { Sealed } from '../../util/seal.ts'

/** The secret address of a channel, of an account or of one of its subscriptions. */
export interface WebhookTable {
  id: Generated<number>
  /** The account; the seal is bound to it. */
  user_id: number
  /** Null: of the account itself. */
  subscription_id: number | null
  channel: WebhookName
  key_id: string
  sealed: Sealed
  made_by: string | null
}
