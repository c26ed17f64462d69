import { advanceMeta, findMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { decideMessages, toList } from '../../delivery/decide.ts'
import type { LoggedEvent, Recipient } from '../../delivery/rules.ts'
import { hasEventsAfter, lastSettledEvent, listEvents, type StoredEvent } from '../../store/notifications/event-log.ts'
import { listClusterListeners, listFollowerIds } from '../../store/notifications/recipient.ts'
import { recordEvents } from '../../store/notifications/record-event.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { findRunningFor } from '../fleet/running-of-owners.ts'
import { findRegressions } from './find-regressions.ts'
import { addToOutbox, findAddresses, type NotificationStore } from './outbox.ts'
import { listRecipients } from './recipients.ts'

const eventsAtOnce = 500
const cursor = 'events_routed'

/**
 * Selects the recipients of unrouted events and queues their messages. Several processes may run it: each event is routed
 * once. Returns the number of events.
 */
export async function routeEvents(store: NotificationStore, now: UnixSeconds) {
  let routed = 0
  for (;;) {
    const after = Number((await findMeta(store.db, cursor)) ?? 0)
    if (!(await hasEventsAfter(store.db, after))) return routed
    const upTo = await lastSettledEvent(store.db)
    const events = await listEvents(store.db, { after, upTo, limit: eventsAtOnce })
    if (events.length === 0) return routed
    routed += await routeBatch(store, { after, events: wholeMoments(events) }, now)
  }
}

export async function hasUnroutedEvents(db: Db) {
  const after = Number((await findMeta(db, cursor)) ?? 0)
  return hasEventsAfter(db, after)
}

/** Keeps events of the same time together, unless there are too many. */
function wholeMoments(events: StoredEvent[]) {
  if (events.length < eventsAtOnce) return events
  const last = events.at(-1)!.at
  const whole = events.filter(({ at }, index) => at !== last || index === 0)
  return events[0]!.at === last ? events : whole
}

async function routeBatch(
  store: NotificationStore,
  { after, events }: { after: number; events: StoredEvent[] },
  now: UnixSeconds,
) {
  const regressions = await findRegressions(
    store,
    events.filter(({ type }) => type === 'report.ingested'),
    now,
  )
  const decidable = events.filter(isDecidable)
  const recipients = await findRecipients(store, decidable)
  const running = await findRunning(store, decidable, recipients, now)
  const planned = recipients.flatMap((recipient) => decideMessages(decidable, recipient, running))
  const versions = new Map(decidable.map(({ id, data }) => [id, data.version]))
  const findAddress = await findAddresses(
    store,
    planned.map(({ userId }) => userId),
  )
  return write(store.db, 'event routing', async (trx) => {
    const isOurs = await advanceMeta(trx, cursor, { from: after, to: events.at(-1)!.id })
    if (!isOurs) return 0
    const labelled = planned.map((one) => ({ ...one, version: versions.get(one.eventIds[0]!) ?? null }))
    await addToOutbox(trx, labelled, findAddress)
    await recordEvents(trx, regressions)
    return events.length
  })
}

export const isDecidable = (event: StoredEvent): event is StoredEvent & LoggedEvent =>
  event.type !== 'report.ingested' && event.type !== 'target.disabled'

const isOfRelease = ({ type }: LoggedEvent) => type.startsWith('release.')
const toProjectIds = (events: LoggedEvent[]) => [...new Set(events.flatMap(({ projectId }) => projectId ?? []))]

async function findRecipients(store: NotificationStore, events: LoggedEvent[]): Promise<Recipient[]> {
  const { db } = store
  if (events.length === 0) return []
  const releases = toProjectIds(events.filter(isOfRelease))
  const types = new Set<string>(events.map(({ type }) => type))
  const isOfClusters = events.some((event) => !isOfRelease(event))
  const listeners = isOfClusters ? await listClusterListeners(db) : []
  const hearing = listeners.filter((one) => toList(one.events).some((type) => types.has(type)))
  const followers = releases.length > 0 ? await listFollowerIds(db, releases) : []
  const userIds = [...new Set([...followers, ...hearing.map(({ id }) => id)])]
  return userIds.length === 0 ? [] : listRecipients(store, { userIds, projectIds: toProjectIds(events) })
}

/** Only if a rule depends on it, because reading running versions opens sealed data. */
function findRunning(store: NotificationStore, events: LoggedEvent[], recipients: Recipient[], now: UnixSeconds) {
  const ends = events.some(({ type }) => type === 'support.ends')
  const asking = recipients.filter(
    ({ rules }) => rules.only_what_runs || (ends && toList(rules.cluster_events).includes('support.ends')),
  )
  const ownerIds = new Set(asking.flatMap(({ ownerIds }) => [...ownerIds]))
  return findRunningFor(store, { ownerIds, projectIds: toProjectIds(events) }, now)
}
