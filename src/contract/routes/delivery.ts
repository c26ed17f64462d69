import * as z from 'zod/mini'
import { DeliveryEvent, DeliveryRecord, DeliveryState, deliveryId, Rehearsal, RehearsalRequest } from '../delivery.ts'
import { timestampIn } from '../patterns.ts'
import { toRoutes } from '../route.ts'
import { documented, paging, timeIn, toPage } from '../shape.ts'
import { NotificationChannel } from '../subscription.ts'

/** A required time. */
const requiredTimeIn = documented(
  z.pipe(
    z.string().check(z.minLength(1, { error: 'must not be empty' })),
    z.pipe(
      timeIn,
      z.transform((seconds) => seconds!),
    ),
  ),
  { type: 'string', minLength: 1, maxLength: 64, pattern: timestampIn },
)

const oneDelivery = z.object({ delivery_id: deliveryId })
const SavedDelivery = z.extend(DeliveryRecord, { success: z.literal(true) })

export const deliveryRoutes = toRoutes({
  listDeliveries: {
    method: 'GET',
    path: '/deliveries',
    summary: 'List notifications and what became of them',
    components: { answer: 'DeliveryPage' },
    access: 'user',
    account: 'viewer',
    query: z.object({
      ...paging,
      state: z.optional(DeliveryState),
      channel: z.optional(NotificationChannel),
    }),
    /** Whether this server sends messages at all. */
    answer: z.extend(toPage(DeliveryRecord), { delivers_notifications: z.boolean() }),
    extension: true,
  },
  getDelivery: {
    method: 'GET',
    path: '/deliveries/{delivery_id}',
    summary: 'Get a notification with its events',
    components: { answer: 'DeliveryWithEvents' },
    access: 'user',
    account: 'viewer',
    params: oneDelivery,
    answer: z.extend(DeliveryRecord, { events: z.array(DeliveryEvent) }),
    extension: true,
  },
  /** Also for finished messages. The id does not change. */
  retryDelivery: {
    method: 'POST',
    path: '/deliveries/{delivery_id}/retry',
    summary: 'Send a notification again',
    components: { answer: 'DeliverySaved' },
    access: 'user',
    conflicts: true,
    account: 'member',
    params: oneDelivery,
    answer: SavedDelivery,
    audit: 'delivery.retry',
    extension: true,
  },
  /** Finished messages do not change. */
  dropDelivery: {
    method: 'POST',
    path: '/deliveries/{delivery_id}/drop',
    summary: 'Cancel a queued notification',
    components: { answer: 'DeliverySaved' },
    access: 'user',
    account: 'member',
    params: oneDelivery,
    answer: SavedDelivery,
    audit: 'delivery.drop',
    extension: true,
  },
  replayDeliveries: {
    method: 'POST',
    path: '/deliveries/replay',
    summary: 'Send the notifications of a period again',
    components: { body: 'ReplayRequest', answer: 'ReplayResult' },
    access: 'user',
    heavy: true,
    account: 'member',
    body: z.object({ since: requiredTimeIn, channel: z.optional(NotificationChannel) }),
    answer: z.object({ success: z.literal(true), deliveries: z.int() }),
    audit: 'delivery.replay',
    extension: true,
  },
  rehearseNotifications: {
    method: 'POST',
    path: '/notifications/rehearse',
    summary: 'Show which notifications recent events would have caused',
    access: 'user',
    heavy: true,
    account: 'member',
    body: RehearsalRequest,
    answer: Rehearsal,
    extension: true,
  },
})
