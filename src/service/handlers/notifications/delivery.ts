import { deliversNotifications, routeForListing } from '../../../operations/notifications/notify.ts'
import { getDelivery, listDeliveries, retryDelivery } from '../../../store/notifications/delivery-log.ts'
import { findEvents } from '../../../store/notifications/event-log.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { change, type Handlers } from '../../handler.ts'

export const deliveryHandlers: Handlers<'delivery'> = {
  async listDeliveries({ db, vault, now }, { query, account }) {
    await routeForListing({ db, vault }, now)
    const { state, channel, page, per_page: perPage } = query
    const found = await listDeliveries(db, account.id, { state, channel }, { page, perPage })
    return { ...found, delivers_notifications: await deliversNotifications(db) }
  },

  async getDelivery({ db }, { params, account }) {
    const { delivery, eventIds } = await getDelivery(db, account.id, params.delivery_id)
    const events = await findEvents(db, eventIds.slice(0, mostEvents))
    return { ...delivery, events: events.map(({ id, type, at }) => ({ event_id: id, type, at: formatTimestamp(at) })) }
  },

  async retryDelivery({ db, now }, { params, account }) {
    const { id } = await getDelivery(db, account.id, params.delivery_id)
    return change('nothing', async (trx) => {
      await retryDelivery(trx, id, now)
      const { delivery } = await getDelivery(trx, account.id, params.delivery_id)
      return { success: true, ...delivery }
    })
  },
}

/** Limit, because a digest may have thousands. */
const mostEvents = 100
