import type { Generated } from 'kysely'
import type { EmailFrequency } from '../../contract/subscription.ts'
import type { UnixSeconds } from '../../util/time.ts'

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
  created_at: UnixSeconds
}
