import * as z from 'zod/mini'
import { deliveryStates } from './choices.ts'
import { documented, Id, Timestamp } from './shape.ts'
import { ChannelName, DeliveryKind } from './subscription.ts'

/** `failed` is tried again, `dead` is not; `accepted` was taken by a service that does not report what became of it. */
export const DeliveryState = z.enum(deliveryStates)
export type DeliveryState = z.infer<typeof DeliveryState>

/** A message of the outbox. */
export const DeliveryRecord = z.object({
  /** The same in all attempts: the `webhook-id` of a webhook, and part of the `Message-ID` of a mail. */
  delivery_id: z.string(),
  created_at: Timestamp,
  kind: DeliveryKind,
  channel: ChannelName,
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
