import type { ChannelName } from '../../contract/channels.ts'
import { setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { listWaiting, readyDeliveries, skipDeliveries } from '../../store/notifications/delivery.ts'
import { wakeTarget } from '../../store/notifications/delivery-target.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import { findSetUp, type NotificationStore } from './outbox.ts'
import { routeEvents } from './route-events.ts'

/** Older waiting messages are outdated. */
const newsSeconds = daySeconds
/** Maximum waiting messages that are still sent to each target when delivery starts; the newest ones. */
const mostOfTarget = 5

const outdated = 'delivery was not set up then'

/**
 * Records which channels deliver on this store. When a channel starts, waiting messages are not all sent: of the last day,
 * only the newest few for each target are, and the rest are skipped.
 */
export async function activateDelivery(store: NotificationStore, channels: readonly ChannelName[], now: UnixSeconds) {
  const isNew = async (db: Db) => {
    const known = await findSetUp(db)
    return channels.filter((channel) => !known.has(channel))
  }
  if ((await isNew(store.db)).length === 0) return
  await routeEvents(store, now)
  await write(store.db, 'event routing', async (trx) => {
    const fresh = await isNew(trx)
    if (fresh.length === 0) return
    await skipOutdated(trx, fresh, now)
    await setMeta(trx, 'delivery_channels', [...(await findSetUp(trx)), ...fresh].filter(Boolean).sort().join())
  })
}

/** Whether a channel starts to deliver on this store. */
export async function isFirstDelivery(db: Db, channels: readonly ChannelName[]) {
  const known = await findSetUp(db)
  return channels.some((channel) => !known.has(channel))
}

async function skipOutdated(trx: Db, channels: ChannelName[], now: UnixSeconds) {
  const waiting = await listWaiting(trx, channels)
  const skipped: number[] = []
  for (const [targetId, group] of Map.groupBy(waiting, (row) => row.targetId)) {
    const recent = group.filter(({ createdAt }) => createdAt > now - newsSeconds).slice(0, mostOfTarget)
    const sent = new Set(recent.map(({ id }) => id))
    skipped.push(...group.flatMap(({ id }) => (sent.has(id) ? [] : [id])))
    if (targetId !== null && recent.length > 0) await wakeTarget(trx, targetId, now)
  }
  await skipDeliveries(trx, skipped, { error: outdated, now })
  await readyDeliveries(trx, channels)
}
