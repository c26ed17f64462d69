import type { ChannelName } from '../../contract/channels.ts'
import type { Db } from '../../db/open.ts'
import { hasDueTarget } from '../../store/notifications/delivery-target.ts'
import { listDueDigests } from '../../store/notifications/digest-schedule.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { activateDelivery } from './activate-delivery.ts'
import { createSender, type OutboxSenderOptions } from './deliver.ts'
import { recordCompromised } from './find-compromised.ts'
import type { NotificationStore } from './outbox.ts'
import { recordDailyEvents } from './record-daily-events.ts'
import { hasUnroutedEvents, routeEvents } from './route-events.ts'
import { runDigests, scheduleDigests } from './run-digests.ts'

export type DeliveryOptions = Omit<OutboxSenderOptions, 'random'>

const scheduleSeconds = 30
const dailySeconds = 3600

/** Queues messages that are new or due. */
async function fill(store: NotificationStore, now: UnixSeconds) {
  await routeEvents(store, now)
  await runDigests(store, now)
}

/** Sends all due messages once. */
export async function deliverOnce(store: NotificationStore, options: DeliveryOptions) {
  const { carrier, now } = options
  await activateDelivery(store, carrier.channels, now())
  await scheduleDigests(store, now())
  await recordDailyEvents(store.db, now())
  await recordCompromised(store, now())
  await fill(store, now())
  return createSender(store, options).drain()
}

interface RunOptions extends DeliveryOptions {
  stopped: AbortSignal
  /** Ends after this time without due messages. */
  idleSeconds?: number
}

/** Sends messages as they become due until stopped; messages in flight are still completed. */
export async function runDelivery(
  store: NotificationStore,
  { stopped, idleSeconds = Number.POSITIVE_INFINITY, ...options }: RunOptions,
) {
  const { carrier, now } = options
  await activateDelivery(store, carrier.channels, now())
  const sender = createSender(store, options)
  stopped.addEventListener('abort', () => void sender.stop())
  if (stopped.aborted) return sender.counts
  let [scheduledAt, dailyAt, busyAt] = [0, 0, now()]
  await sender.run(async () => {
    if (await hasWork(store.db, carrier.channels, now())) busyAt = now()
    else if (now() - busyAt >= idleSeconds) void sender.stop()
    if (now() - dailyAt >= dailySeconds) {
      dailyAt = now()
      await recordDailyEvents(store.db, now())
    }
    if (now() - scheduledAt >= scheduleSeconds) {
      scheduledAt = now()
      await scheduleDigests(store, now())
      await recordCompromised(store, now())
    }
    await fill(store, now())
  })
  return sender.counts
}

/** Whether there are new events or due messages. Reads a few rows by index. */
export async function hasWork(db: Db, channels: readonly ChannelName[], now: UnixSeconds) {
  return (
    (await hasUnroutedEvents(db)) ||
    (await hasDueTarget(db, { channels, now })) ||
    (await listDueDigests(db, now, 1)).length > 0
  )
}
