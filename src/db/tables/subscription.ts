import type { Generated } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import type { DeliveryKind, DeliveryLog, EmailFrequency } from '../../contract/subscription.ts'

export interface SubscriptionTable {
  id: Generated<number>
  user_id: number
  project_id: number
  email_enabled: number
  email_frequency: EmailFrequency
  release_types_filter: string
  webhook_release_types: string
  use_global_webhooks: number
  notifications_paused: number
  created_at: number
}

export interface LabelTable {
  id: Generated<number>
  user_id: number
  name: string
  color: string
}

export interface SubscriptionLabelTable {
  subscription_id: number
  label_id: number
}

/** A notification that was asked for, and what became of it. */
export interface DeliveryTable {
  id: Generated<number>
  user_id: number
  created_at: number
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
