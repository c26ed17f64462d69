import { channelTable } from '../../contract/channel-table.ts'
import { type ChannelName, channelSecret, channels } from '../../contract/channels.ts'
import type { DeliveryKind } from '../../contract/subscription.ts'
import { findMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { afterQuiet } from '../../delivery/decide.ts'
import type { PlannedMessage } from '../../delivery/rules.ts'
import { getNotificationSettings, listEmails } from '../../store/notifications/account-settings.ts'
import {
  findWaitingMail,
  insertDeliveries,
  moveHeld,
  type NewDelivery,
  setEventIds,
} from '../../store/notifications/delivery.ts'
import { ensureTarget, type Target, type TargetPlace, wakeTarget } from '../../store/notifications/delivery-target.ts'
import { listWebhooks } from '../../store/notifications/webhook.ts'
import type { Secret } from '../../util/secret.ts'
import { formatDay, formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { Unlock } from '../keys/vault.ts'
import { openWebhooks } from './webhook.ts'

/** A store with access to its vault. */
export interface NotificationStore {
  db: Db
  vault: Unlock
  /** Another process computes figures of clusters. */
  keepsFigures?: boolean | undefined
  /** Zone of the time of news, see `newsSince`. */
  timeZone?: string | undefined
}

/** Reason for messages that wait because delivery was never set up on this store. */
export const queued = 'queued: delivery is not set up on this server'

const kinds: Record<PlannedMessage['type'], DeliveryKind> = {
  'release.published': 'release',
  'release.promoted': 'promotion',
  'release.security': 'security',
  'artifact.compromised': 'compromised',
  'report.regressed': 'regressed',
  'gate.failed': 'gate',
  'cluster.silent': 'silent',
  'support.ends': 'support',
  'exception.expires': 'exception',
  digest: 'digest',
  'fleet.report': 'fleet',
}

/** The current address of a place; null if there is none. */
export type FindAddress = (place: TargetPlace) => Secret | null

/** Addresses of some accounts. Needs the store's key only if there are webhooks. */
export async function findAddresses(
  { db, vault }: NotificationStore,
  userIds: readonly number[],
): Promise<FindAddress> {
  const emails = await listEmails(db, userIds)
  const webhooksFor = await openWebhooks(vault, await listWebhooks(db, userIds))
  return ({ userId, channel, subscriptionId }) => {
    const row = channels.find(({ name }) => name === channel)!
    if (row.isSecret) return webhooksFor({ userId, subscriptionId })[row.field]
    const address = emails.get(userId)
    return address ? channelSecret(channelTable.email, address) : null
  }
}

/** A message about events of a project, with their kind and version for lists. */
interface Labelled extends PlannedMessage {
  version?: string | null
}

/**
 * Queues planned messages. A mail is merged into a waiting one for the same project and time. A message for a disabled
 * address is recorded but not sent.
 */
export async function addToOutbox(trx: Db, planned: Labelled[], findAddress: FindAddress) {
  const set = await findSetUp(trx)
  const targets = new Map<string, Target>()
  const due = new Map<number, UnixSeconds>()
  const deliveries: NewDelivery[] = []
  for (const message of planned) {
    const { userId, channel, toAddress, subscriptionId, projectId, notBefore, digest, eventIds } = message
    if (await joinWaitingMail(trx, message)) continue
    const place = { userId, channel, subscriptionId: toAddress }
    const key = JSON.stringify(place)
    const target = targets.get(key) ?? (await ensureTarget(trx, place))
    targets.set(key, target)
    const isEmpty = digest !== undefined && eventIds.length === 0
    deliveries.push({
      userId,
      createdAt: message.at,
      kind: kinds[message.type],
      channel,
      targetId: target.id,
      target: findAddress(place),
      subscriptionId,
      projectId,
      version: message.version ?? null,
      eventIds,
      digest,
      ...(isEmpty ? noReleases : toState(target, message, set.has(channel))),
    })
    if (!isEmpty && target.offAt === null) due.set(target.id, Math.min(notBefore, due.get(target.id) ?? notBefore))
  }
  await insertDeliveries(trx, deliveries)
  for (const [id, at] of due) await wakeTarget(trx, id, at)
}

/** Whether a mail was merged into a waiting one. */
async function joinWaitingMail(trx: Db, message: PlannedMessage) {
  const { userId, channel, subscriptionId, projectId, notBefore, eventIds } = message
  if (channel !== 'email' || subscriptionId === null || projectId === null) return false
  const waiting = await findWaitingMail(trx, { userId, projectId, notBefore })
  return waiting !== undefined && setEventIds(trx, waiting.id, [...waiting.eventIds, ...eventIds])
}

export const noReleases = { status: 'skipped', notBefore: null, error: 'no new releases' } as const

function toState({ offAt, offReason }: Target, { notBefore, at }: PlannedMessage, isSetUp: boolean) {
  const held = notBefore > at ? heldUntil(notBefore) : null
  if (offAt === null) return { status: 'pending', notBefore, error: isSetUp ? held : queued } as const
  return { status: 'dead', notBefore: null, error: switchedOff(offAt, offReason) } as const
}

/** Reason for a message that waits for the end of quiet hours. */
const heldUntil = (at: UnixSeconds) => `held by quiet hours until ${formatTimestamp(at)}`

/** Reschedules messages held by quiet hours according to the current setting: immediately if quiet hours are over. */
export async function releaseHeld(trx: Db, userId: number, now: UnixSeconds) {
  const notBefore = afterQuiet(await getNotificationSettings(trx, userId), now)
  const error = notBefore > now ? heldUntil(notBefore) : null
  for (const targetId of await moveHeld(trx, { userId, now, notBefore, error }))
    await wakeTarget(trx, targetId, notBefore)
}

export const switchedOff = (at: UnixSeconds, reason: string | null) => `switched off on ${formatDay(at)}: ${reason}`

/** Channels whose delivery was ever set up on this store. */
export async function findSetUp(db: Db): Promise<Set<ChannelName>> {
  const names = (await findMeta(db, 'delivery_channels')) ?? ''
  return new Set(names.split(',').filter(Boolean) as ChannelName[])
}
