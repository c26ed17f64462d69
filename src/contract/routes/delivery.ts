import * as z from 'zod/mini'
import { DeliveryEvent, DeliveryRecord, DeliveryState, deliveryId } from '../delivery.ts'
import { toRoutes } from '../route.ts'
import { paging, success, toPage } from '../shape.ts'
import { NotificationChannel } from '../subscription.ts'

const oneDelivery = z.object({ delivery_id: deliveryId })
const SavedDelivery = z.extend(DeliveryRecord, success)

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
})
