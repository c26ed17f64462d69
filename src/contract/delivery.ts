import * as z from 'zod/mini'
import { deliveryStates } from './choices.ts'
import { documented, nullableInt, nullableText, nullableTime, Timestamp } from './shape.ts'
import { addressed, DeliveryKind } from './subscription.ts'

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
  http_status: nullableInt,
  /** Why it failed, was skipped or is waiting. */
  reason: nullableText,
  next_attempt_at: nullableTime,
  finished_at: nullableTime,
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>

export const deliveryId = documented(z.string(), { type: 'string', pattern: '^msg_[0-9a-f]{1,64}$' })

/** An event in a message. */
export const DeliveryEvent = z.object({ event_id: z.int(), type: z.string(), at: Timestamp })
