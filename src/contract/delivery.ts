import * as z from 'zod/mini'
import { deliveryStates } from './choices.ts'
import { optionalNotificationSettings } from './notification-settings.ts'
import { documented, Id, Timestamp } from './shape.ts'
import { DeliveryKind, NotificationChannel, SubscriptionSettings } from './subscription.ts'

/** `failed` is tried again, `dead` is not; `accepted` was taken by a service that does not report what became of it. */
export const DeliveryState = z.enum(deliveryStates)
export type DeliveryState = z.infer<typeof DeliveryState>

/** A message of the outbox. */
export const DeliveryRecord = z.object({
  /** The same in all attempts: the `webhook-id` of a webhook, and part of the `Message-ID` of a mail. */
  delivery_id: z.string(),
  created_at: Timestamp,
  kind: DeliveryKind,
  channel: NotificationChannel,
  /** Shortened, so that no secret of a webhook's address shows. */
  target: z.string(),
  subscription_id: z.nullable(Id),
  product_id: z.nullable(Id),
  name: z.nullable(z.string()),
  version: z.nullable(z.string()),
  state: DeliveryState,
  attempts: z.int(),
  http_status: z.nullable(z.int()),
  /** Why it failed, was skipped or waits. */
  reason: z.nullable(z.string()),
  next_attempt_at: z.nullable(Timestamp),
  finished_at: z.nullable(Timestamp),
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>

export const deliveryId = documented(z.string(), { type: 'string', pattern: '^msg_[0-9a-f]{1,64}$' })

/** An event that a message is about. */
export const DeliveryEvent = z.object({ event_id: z.int(), type: z.string(), at: Timestamp })

const { email_enabled, email_frequency, release_types_filter, webhook_release_types } = SubscriptionSettings.shape

/** Settings to try: of the account, and those of subscriptions for all of them at once. */
export const RehearsalSettings = z.object({
  ...optionalNotificationSettings,
  webhook_release_types,
  email_enabled,
  email_frequency,
  release_types_filter,
  /** The `webhook_release_types` of subscriptions. */
  subscription_release_types: webhook_release_types,
})

export const RehearsalRequest = z.object({
  days: z._default(z.int().check(z.gte(1), z.lte(365)), 30),
  /** Only messages of this channel, as if it was set up. */
  channel: z.optional(NotificationChannel),
  settings: z.optional(RehearsalSettings),
  /** How many messages are rendered. */
  limit: z._default(z.int().check(z.gte(0), z.lte(100)), 20),
})
export type RehearsalRequest = z.output<typeof RehearsalRequest>

/** Messages that the events of a time would have caused. */
export const Rehearsal = z.object({
  success: z.literal(true),
  from: Timestamp,
  to: Timestamp,
  /** Events, also those that cause no message. */
  events: z.int(),
  /** When the first event was recorded that is still there; null: none was. */
  events_since: z.optional(z.nullable(Timestamp)),
  /** Events that nobody recorded: releases by their day, and stored runs by that of their scan. */
  replayed: z.optional(z.int()),
  total: z.int(),
  /** Days of the account's clock with at least one message. */
  per_day: z.array(z.object({ day: z.string(), messages: z.int() })),
  by_channel: z.array(z.object({ channel: NotificationChannel, messages: z.int() })),
  /** The first ones. */
  messages: z.array(
    z.object({
      due_at: Timestamp,
      channel: NotificationChannel,
      kind: DeliveryKind,
      name: z.nullable(z.string()),
      version: z.nullable(z.string()),
      events: z.int(),
      /** Set for a mail only. */
      subject: z.nullable(z.string()),
      content_type: z.string(),
      body: z.string(),
    }),
  ),
})
export type Rehearsal = z.infer<typeof Rehearsal>
