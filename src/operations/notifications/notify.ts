import { type ChannelName, channelNames, channels, webhookChannels } from '../../contract/channels.ts'
import type { TestResult } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { countDigestReleases } from '../../store/catalog/recent-release.ts'
import { getDeliveryResult, insertDeliveries } from '../../store/notifications/delivery.ts'
import { ensureTarget, type TargetPlace, wakeTarget } from '../../store/notifications/delivery-target.ts'
import { getSubscription } from '../../store/notifications/subscription.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import type { Carrier } from './deliver.ts'
import { type FindAddress, findAddresses, findSetUp, type NotificationStore, noReleases, queued } from './outbox.ts'
import { routeEvents } from './route-events.ts'

const periodDays = { daily: 1, weekly: 7 } as const
interface Caller {
  userId: number
  now: UnixSeconds
}

/** A store, and a function that opens its carrier; undefined if delivery is disabled. The caller closes the carrier. */
export interface SendingStore extends NotificationStore {
  carrier?: (() => Promise<Carrier | undefined>) | undefined
}

const missing = (channel: ChannelName) => {
  const { isSecret, field } = channels.find(({ name }) => name === channel)!
  return isSecret ? `no ${field} is set` : 'the account has no email address'
}

const notHere = 'delivery is not set up on this server'

/**
 * Sends a test on each configured channel, or on the given one, and waits for the outcome. A subscription's webhook
 * overrides the account's. Throws `not_found` for a subscription that is not the user's.
 */
export async function sendTest(
  store: SendingStore,
  { userId, now }: Caller,
  wanted: { subscriptionId?: number | undefined; channel?: ChannelName | undefined },
): Promise<TestResult[]> {
  const { subscriptionId } = wanted
  const subscription =
    subscriptionId === undefined ? undefined : await getSubscription(store.db, userId, subscriptionId)
  const findAddress = await findAddresses(store, [userId])
  const placeFor = (channel: ChannelName) => findPlace(findAddress, { userId, channel, subscription })
  const tested = wanted.channel ? [wanted.channel] : channelNames.filter((channel) => placeFor(channel) !== undefined)
  const carrier = await store.carrier?.()
  const results = tested.map(async (channel) => {
    const place = placeFor(channel)
    const isSetUp = carrier?.channels.includes(channel) ?? false
    const problem = place ? (isSetUp ? null : reasonNotSetUp(channel, carrier)) : missing(channel)
    const { id, targetId } = await write(store.db, 'nothing', async (trx) => {
      const target = place && (await ensureTarget(trx, place))
      const [id] = await insertDeliveries(trx, [
        {
          userId,
          createdAt: now,
          kind: 'test',
          channel,
          notBefore: now,
          error: problem,
          targetId: target?.id ?? null,
          target: place ? findAddress(place) : null,
          subscriptionId: subscription?.id ?? null,
          projectId: subscription?.projectId ?? null,
          status: problem === null ? 'pending' : 'skipped',
        },
      ])
      return { id: id!, targetId: target?.id }
    })
    if (problem === null) await sendNow(store, carrier!, { id, targetId: targetId!, now })
    const { state, httpStatus, reason } = await getDeliveryResult(store.db, id)
    const delivered = state === 'delivered' || state === 'accepted'
    return { channel, delivered, http_status: httpStatus, error: reason }
  })
  return Promise.all(results).finally(() => carrier?.close())
}

const reasonNotSetUp = (channel: ChannelName, carrier: Carrier | undefined): string =>
  carrier && channel === 'email' ? 'no mail server is set up: RELT_SMTP_URL is not set' : notHere

/** Undefined if there is no address. */
function findPlace(
  findAddress: FindAddress,
  {
    userId,
    channel,
    subscription,
  }: { userId: number; channel: ChannelName; subscription: { id: number; use_global_webhooks: boolean } | undefined },
): TargetPlace | undefined {
  const isWebhook = webhookChannels.some(({ name }) => name === channel)
  const own = { userId, channel, subscriptionId: subscription?.id ?? null }
  const common = { userId, channel, subscriptionId: null }
  const places = isWebhook && subscription ? [own, ...(subscription.use_global_webhooks ? [common] : [])] : [common]
  return places.find((place) => findAddress(place) !== null)
}

async function sendNow(
  store: NotificationStore,
  carrier: Carrier,
  { id, targetId, now }: { id: number; targetId: number; now: UnixSeconds },
) {
  const { createSender } = await import('./deliver.ts')
  const start = performance.now()
  // The handler's clock is fixed; leases need a running one.
  const clock = () => now + Math.floor((performance.now() - start) / 1000)
  await createSender(store, { carrier, now: clock }).sendNow(id, targetId)
}

/** Sends a digest of the last day's or week's releases, if mail is configured; otherwise queues it. */
export async function sendDigest(store: SendingStore, { userId, now }: Caller, frequency: 'daily' | 'weekly') {
  const { db } = store
  const window = { period: frequency, from: now - periodDays[frequency] * daySeconds, to: now }
  const releases = await countDigestReleases(db, userId, { frequency, since: window.from, until: now })
  const findAddress = await findAddresses(store, [userId])
  const place: TargetPlace = { userId, channel: 'email', subscriptionId: null }
  const address = findAddress(place)
  const carrier = await store.carrier?.()
  const { id, targetId, isWaiting } = await write(db, 'nothing', async (trx) => {
    const { id: targetId } = await ensureTarget(trx, place)
    const isSetUp = (await findSetUp(trx)).has('email')
    const state = !address
      ? ({ status: 'skipped', notBefore: null, error: missing('email') } as const)
      : releases === 0
        ? noReleases
        : ({ status: 'pending', notBefore: now, error: isSetUp ? null : queued } as const)
    const digest = { ...window, byRelease: true as const }
    const [id] = await insertDeliveries(trx, [
      { userId, createdAt: now, kind: 'digest', channel: 'email', targetId, target: address, digest, ...state },
    ])
    if (state.status === 'pending') await wakeTarget(trx, targetId, now)
    return { id: id!, targetId, isWaiting: state.status === 'pending' }
  })
  try {
    if (isWaiting && carrier?.channels.includes('email')) await sendNow(store, carrier, { id, targetId, now })
  } finally {
    await carrier?.close()
  }
  const { state } = await getDeliveryResult(db, id)
  return { sent: state === 'delivered' || state === 'accepted', releases }
}

/** Routes new events before messages are listed. If the store is read-only or locked, lists it unchanged. */
export async function routeForListing(store: NotificationStore, now: UnixSeconds) {
  try {
    await routeEvents(store, now)
  } catch (error) {
    const isExpected = error instanceof ReltError && ['key_unavailable', 'store_read_only', 'busy'].includes(error.code)
    if (!isExpected) throw error
  }
}

/** Whether any process delivers messages of this store. */
export async function deliversNotifications(db: Db) {
  return (await findSetUp(db)).size > 0
}
