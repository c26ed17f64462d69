import * as z from 'zod/mini'
import { deliveryStates } from './choices.ts'
import { optionalNotificationSettings } from './notification-settings.ts'
import { documented, Timestamp } from './shape.ts'
import { addressed, DeliveryKind, NotificationChannel, SubscriptionSettings } from './subscription.ts'

/** `failed` is retried, `dead` is not; `accepted`: taken by a service that does not confirm delivery. */
export const DeliveryState = z.enum(deliveryStates)
export type DeliveryState = z.infer<typeof DeliveryState>

/** A message in the outbox. */
export const DeliveryRecord = z.object({
  /** The same for all attempts: `webhook-id` of a webhook, and part of a mail's `Message-ID`. */
  delivery_id: z.string(),
  created_at: Timestamp,
  kind: DeliveryKind,
  ...addressed,
  state: DeliveryState,
  attempts: z.int(),
  http_status: z.nullable(z.int()),
  /** Why it failed, was skipped or is waiting. */
  reason: z.nullable(z.string()),
  next_attempt_at: z.nullable(Timestamp),
  finished_at: z.nullable(Timestamp),
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>

export const deliveryId = documented(z.string(), { type: 'string', pattern: '^msg_[0-9a-f]{1,64}$' })

/** An event in a message. */
export const DeliveryEvent = z.object({ event_id: z.int(), type: z.string(), at: Timestamp })

const { email_enabled, email_frequency, release_types_filter, webhook_release_types } = SubscriptionSettings.shape

/** Settings to try: of the account, and of all its subscriptions at once. */
export const RehearsalSettings = z.object({
  ...optionalNotificationSettings,
  webhook_release_types,
  email_enabled,
  email_frequency,
  release_types_filter,
  /** `webhook_release_types` for all subscriptions. */
  subscription_release_types: webhook_release_types,
})

export const RehearsalRequest = z.object({
  days: z._default(z.int().check(z.gte(1), z.lte(365)), 30),
  /** Only messages of this channel, as if it was configured. */
  channel: z.optional(NotificationChannel),
  settings: z.optional(RehearsalSettings),
  /** Maximum number of rendered messages. */
  limit: z._default(z.int().check(z.gte(0), z.lte(100)), 20),
})
export type RehearsalRequest = z.output<typeof RehearsalRequest>

/** Messages that the events of a period would have caused. */
export const Rehearsal = z.object({
  success: z.literal(true),
  from: Timestamp,
  to: Timestamp,
  /** Number of events, including those that cause no message. */
  events: z.int(),
  /** Time of the oldest event that has not expired; null if there is none. */
  events_since: z.optional(z.nullable(Timestamp)),
  /** Number of events that were not recorded: releases by publication day, and stored runs by scan time. */
  replayed: z.optional(z.int()),
  total: z.int(),
  /** Days in the account's time zone with at least one message. */
  per_day: z.array(z.object({ day: z.string(), messages: z.int() })),
  by_channel: z.array(z.object({ channel: NotificationChannel, messages: z.int() })),
  /** The first messages, up to `limit`. */
  messages: z.array(
    z.object({
      due_at: Timestamp,
      channel: NotificationChannel,
      kind: DeliveryKind,
      name: z.nullable(z.string()),
      version: z.nullable(z.string()),
      events: z.int(),
      /** Only for mail. */
      subject: z.nullable(z.string()),
      content_type: z.string(),
      body: z.string(),
    }),
  ),
})
export type Rehearsal = z.infer<typeof Rehearsal>
