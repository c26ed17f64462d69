import type { ChannelName } from '../../contract/channels.ts'
import type { Rehearsal, RehearsalRequest } from '../../contract/delivery.ts'
import type { Db } from '../../db/open.ts'
import { offsetMinutes } from '../../delivery/local-time.ts'
import { planPeriod } from '../../delivery/plan-period.ts'
import type { LoggedEvent, PlannedMessage, Recipient } from '../../delivery/rules.ts'
import { loadDelivery } from '../../notify/index.ts'
import type { Message } from '../../notify/message.ts'
import { findProjectNames } from '../../store/catalog/project.ts'
import { listEvents } from '../../store/notifications/event-log.ts'
import { findFirstEvent } from '../../store/notifications/history.ts'
import { defined } from '../../util/defined.ts'
import { daySeconds, formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import { findRunningFor } from '../fleet/running-of-owners.ts'
import { describeEvents } from './load-message.ts'
import { addToOutbox, findAddresses, kinds, type NotificationStore } from './outbox.ts'
import { listRecipients } from './recipients.ts'
import { isDecidable, routeEvents } from './route-events.ts'
import { findUnrecorded } from './unrecorded.ts'

interface Period {
  userId: number
  from: UnixSeconds
  to: UnixSeconds
  channel?: ChannelName | undefined
  settings?: RehearsalRequest['settings']
  /** If no event of the period concerns the recipient, past releases and runs are used as events. */
  canReplay?: boolean
}

/** Plans the messages of a period with current or given settings, and with what runs now. */
async function plan(store: NotificationStore, { userId, from, to, channel, settings, canReplay }: Period) {
  await routeEvents(store, to)
  const [stored] = await listRecipients(store, { userIds: [userId] })
  const recipient = withSettings(stored!, { from, channel, settings })
  const isOwn = ({ ownerId }: LoggedEvent) => ownerId === null || recipient.ownerIds.has(ownerId)
  const recorded = (await listEvents(store.db, { from, until: to })).filter(isDecidable).filter(isOwn)
  const concerns = ({ ownerId, projectId }: LoggedEvent) => ownerId !== null || recipient.subscriptions.has(projectId!)
  const isFresh = canReplay === true && !recorded.some(concerns)
  const unrecorded = isFresh ? await findUnrecorded(store, { recorded, recipient, from, to }) : []
  const events = [...recorded, ...unrecorded]
  const isOfEnd = ({ type }: LoggedEvent) => type === 'support.ends'
  const projectIds = new Set(
    events.flatMap((event) => {
      const { projectId } = event
      return projectId !== null && (isOfEnd(event) || recipient.subscriptions.has(projectId)) ? [projectId] : []
    }),
  )
  const running = await findRunningFor(store, { ownerIds: recipient.ownerIds, projectIds }, to)
  const planned = planPeriod(events, recipient, running, { from, to })
  return {
    recipient,
    events,
    /** Number of events that were not recorded. */
    replayed: unrecorded.length,
    planned: planned.filter((one) => channel === undefined || one.channel === channel),
  }
}

/** Adds a subscription and the requested channel, as if they had been there. */
function withSettings(
  recipient: Recipient,
  { from, channel, settings = {} }: Pick<Period, 'from' | 'channel' | 'settings'>,
): Recipient {
  const { email_enabled, email_frequency, release_types_filter, subscription_release_types, ...rules } = settings
  const ofSubscription = defined({
    ...{ email_enabled, email_frequency, release_types_filter },
    webhook_release_types: subscription_release_types,
  })
  return {
    ...recipient,
    hasEmail: recipient.hasEmail || channel === 'email',
    webhooks: new Set([...recipient.webhooks, ...(channel !== undefined && channel !== 'email' ? [channel] : [])]),
    rules: { ...recipient.rules, ...defined(rules) },
    subscriptions: new Map(
      [...recipient.subscriptions].map(([id, subscription]) => [
        id,
        { ...subscription, ...ofSubscription, since: Math.min(subscription.since, from) },
      ]),
    ),
  }
}

/** Shows which messages the events of the last days would have caused, the first ones as rendered for their channels. */
export async function rehearse(
  store: NotificationStore,
  { userId, now }: { userId: number; now: UnixSeconds },
  { days, channel, settings, limit }: RehearsalRequest,
): Promise<Rehearsal> {
  const from = now - days * daySeconds
  const period = { userId, from, to: now, channel, settings, canReplay: true }
  const { recipient, events, replayed, planned } = await plan(store, period)
  const first = await findFirstEvent(store.db)
  const byId = new Map(events.map((event) => [event.id, event]))
  const names = await findProjectNames(store.db, [...recipient.subscriptions.keys()])
  const { time_zone: zone } = recipient.rules
  const toDay = (at: UnixSeconds) => formatTimestamp(at + offsetMinutes(zone, at) * 60).slice(0, 10)
  const messages: Rehearsal['messages'] = []
  for (const one of planned.slice(0, limit)) {
    const version = byId.get(one.eventIds[0]!)?.data.version
    messages.push({
      due_at: formatTimestamp(one.notBefore),
      channel: one.channel,
      kind: kinds[one.type],
      name: (one.projectId !== null && names.get(one.projectId)?.name) || null,
      version: one.type === 'digest' ? null : (version ?? null),
      events: one.eventIds.length,
      ...(await render(store, one, { recipient, byId, now })),
    })
  }
  return {
    success: true,
    from: formatTimestamp(from),
    to: formatTimestamp(now),
    events: events.length,
    events_since: first === null ? null : formatTimestamp(first),
    replayed,
    total: planned.length,
    per_day: countBy(planned, (one) => toDay(one.notBefore)).map(([day, count]) => ({ day, messages: count })),
    by_channel: countBy(planned, ({ channel }) => channel).map(([channel, count]) => ({ channel, messages: count })),
    messages,
  }
}

function countBy<T, K extends string>(list: T[], toKey: (one: T) => K): [K, number][] {
  return [...Map.groupBy(list, toKey)]
    .map(([key, group]): [K, number] => [key, group.length])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

async function render(
  store: NotificationStore,
  planned: PlannedMessage,
  { recipient, byId, now }: { recipient: Recipient; byId: ReadonlyMap<number, LoggedEvent>; now: UnixSeconds },
) {
  const { channel, digest, at, type } = planned
  const events = planned.eventIds.flatMap((id) => byId.get(id) ?? [])
  const message: Message = {
    id: 'msg_rehearsal',
    type,
    at,
    events: await describeEvents(store, events, { recipient, now }),
    ...(digest && { digest: { ...digest, timeZone: recipient.rules.time_zone } }),
    links: { page: null, settings: null, unsubscribe: null },
    attempt: 1,
  }
  const rendered = (await loadDelivery(channel)).render(message)
  if (rendered.kind === 'mail') return { subject: rendered.subject, content_type: 'text/plain', body: rendered.text }
  return { subject: null, content_type: rendered.contentType, body: rendered.body }
}

/**
 * Plans the messages of a period again, under new ids, as `rehearse` shows them. Returns a function that queues them in a
 * transaction, due immediately or after quiet hours.
 */
export async function prepareReplay(
  store: NotificationStore,
  { userId, now }: { userId: number; now: UnixSeconds },
  { since, channel }: { since: UnixSeconds; channel?: ChannelName | undefined },
): Promise<(trx: Db) => Promise<number>> {
  const { events, planned } = await plan(store, { userId, from: since, to: now, channel })
  const versions = new Map(events.map(({ id, data }) => [id, data.version]))
  const findAddress = await findAddresses(store, [userId])
  const sendable = planned.flatMap((one) => {
    const place = { userId, channel: one.channel, subscriptionId: one.toAddress }
    const version = one.type === 'digest' ? null : (versions.get(one.eventIds[0]!) ?? null)
    return findAddress(place) ? [{ ...one, version, at: now, notBefore: Math.max(now, one.notBefore) }] : []
  })
  return async (trx) => (await addToOutbox(trx, sendable, findAddress, { joins: false })).length
}
