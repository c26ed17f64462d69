import { deliversNotifications, routeForListing } from '../../../operations/notifications/notify.ts'
import { dropDelivery, getDelivery, listDeliveries, retryDelivery } from '../../../store/notifications/delivery-log.ts'
import { findEvents } from '../../../store/notifications/event-log.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { type CheckedRequest, change, type HandlerContext, type Handlers } from '../../handler.ts'

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

  retryDelivery: changing(retryDelivery),
  dropDelivery: changing(dropDelivery),

  async replayDeliveries({ db, vault, now }, { body, account }) {
    const { since, channel } = body
    const { prepareReplay } = await import('../../../operations/notifications/rehearse.ts')
    const replay = await prepareReplay({ db, vault }, { userId: account.id, now }, { since, channel })
    return change('nothing', async (trx) => ({ success: true, deliveries: await replay(trx) }))
  },

  async rehearseNotifications({ db, vault, now }, { body, account }) {
    const { rehearse } = await import('../../../operations/notifications/rehearse.ts')
    return rehearse({ db, vault }, { userId: account.id, now }, body)
  },
}

/** Changes a delivery, and answers with it. */
function changing(apply: typeof retryDelivery) {
  type Asked = CheckedRequest<'retryDelivery' | 'dropDelivery'>
  return async ({ db, now }: HandlerContext, { params, account }: Asked) => {
    const { id } = await getDelivery(db, account.id, params.delivery_id)
    return change('nothing', async (trx) => {
      await apply(trx, id, now)
      return { success: true as const, ...(await getDelivery(trx, account.id, params.delivery_id)).delivery }
    })
  }
}

/** Limit, because a digest may have thousands. */
const mostEvents = 100
