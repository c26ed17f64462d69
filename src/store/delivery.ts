import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelName } from '../contract/channels.ts'
import type { DeliveryRecord, DeliveryState } from '../contract/delivery.ts'
import type { DeliveryKind, DeliveryLog } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { integers } from '../db/words.ts'
import { notFound, ReltError } from '../errors.ts'
import type { Secret } from '../util/secret.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { wakeTarget } from './delivery-target.ts'
import { type Page, type PageChoice, pageOf } from './page.ts'

/** The window of a digest. One that was asked for lists the releases of the window; others list their events. */
export interface StoredDigest {
  period: 'daily' | 'weekly'
  from: UnixSeconds
  to: UnixSeconds
  byRelease?: true
}

export interface NewDelivery {
  userId: number
  createdAt: UnixSeconds
  kind: DeliveryKind
  channel: ChannelName
  /** Null: skipped without an address. */
  targetId: number | null
  /** Stored shortened; null without one. */
  target: Secret | null
  subscriptionId?: number | null
  projectId?: number | null
  version?: string | null
  eventIds?: number[]
  digest?: StoredDigest | undefined
  status: 'pending' | 'skipped' | 'dead'
  /** Set while the message is pending. */
  notBefore: UnixSeconds | null
  error: string | null
}

/** Returns the ids, in the same order. */
export async function insertDeliveries(trx: Db, deliveries: NewDelivery[]): Promise<number[]> {
  const ids: number[] = []
  // SQLite takes 32,766 parameters a statement.
  for (let start = 0; start < deliveries.length; start += 500) {
    const rows = await trx
      .insertInto('delivery')
      .values(deliveries.slice(start, start + 500).map(toRow))
      .returning('id')
      .execute()
    ids.push(...rows.map(({ id }) => id).sort((a, b) => a - b))
  }
  return ids
}

function toRow(one: NewDelivery) {
  return {
    public_id: `msg_${randomBytes(12).toString('hex')}`,
    user_id: one.userId,
    created_at: one.createdAt,
    kind: one.kind,
    channel: one.channel,
    target_id: one.targetId,
    target: one.target?.toString() ?? '',
    subscription_id: one.subscriptionId ?? null,
    project_id: one.projectId ?? null,
    version: one.version ?? null,
    event_ids: one.eventIds ? JSON.stringify(one.eventIds) : null,
    digest: one.digest ? JSON.stringify(one.digest) : null,
    status: one.status,
    not_before: one.status === 'pending' ? one.notBefore : null,
    attempts: 0,
    error: one.error,
    finished_at: one.status === 'pending' ? null : one.createdAt,
  }
}

/** A message that waits or is being sent. */
export interface OutboxMessage {
  id: number
  publicId: string
  userId: number
  createdAt: UnixSeconds
  kind: DeliveryKind
  channel: ChannelName
  subscriptionId: number | null
  projectId: number | null
  version: string | null
  eventIds: number[] | null
  digest: StoredDigest | null
  attempts: number
}

const outboxColumns = [
  'id',
  'public_id as publicId',
  'user_id as userId',
  'created_at as createdAt',
  'kind',
  'channel',
  'subscription_id as subscriptionId',
  'project_id as projectId',
  'version',
  'event_ids',
  'digest',
  'attempts',
] as const

/** Due messages of a target, which its lease holder sends now. */
export async function takeMessages(
  trx: Db,
  { targetId, now, limit }: { targetId: number; now: UnixSeconds; limit: number },
): Promise<OutboxMessage[]> {
  const rows = await trx
    .selectFrom('delivery')
    .select(outboxColumns)
    .where('target_id', '=', targetId)
    .where('not_before', '<=', now)
    .orderBy('not_before')
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await trx.updateTable('delivery').set({ status: 'sending' }).where('id', 'in', ids).execute()
  return rows.map(toMessage)
}

export async function getMessage(db: Db, id: number): Promise<OutboxMessage> {
  const row = await db.selectFrom('delivery').select(outboxColumns).where('id', '=', id).executeTakeFirstOrThrow()
  return toMessage(row)
}

export function getDeliveryResult(db: Db, id: number) {
  return db
    .selectFrom('delivery')
    .select(['status as state', 'http_status as httpStatus', 'error as reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

function toMessage<T extends { event_ids: string | null; digest: string | null }>({ event_ids, digest, ...row }: T) {
  return {
    ...row,
    eventIds: event_ids === null ? null : (JSON.parse(event_ids) as number[]),
    digest: digest === null ? null : (JSON.parse(digest) as StoredDigest),
  }
}

export interface AttemptResult {
  status: DeliveryState
  httpStatus: number | null
  error: string | null
  /** When it is tried again; null: it is finished. */
  notBefore: UnixSeconds | null
  /** False: nothing was sent. */
  isAttempt: boolean
}

export async function saveAttempt(trx: Db, id: number, result: AttemptResult, now: UnixSeconds): Promise<void> {
  const { status, httpStatus, error, notBefore, isAttempt } = result
  await trx
    .updateTable('delivery')
    .set((eb) => ({
      status,
      http_status: httpStatus,
      error,
      not_before: notBefore,
      attempts: eb('attempts', '+', isAttempt ? 1 : 0),
      finished_at: notBefore === null ? now : null,
    }))
    .where('id', '=', id)
    .execute()
}

/** A waiting mail about a project that is due at a moment: more events of that moment join it. */
export async function findWaitingMail(
  trx: Db,
  { userId, projectId, notBefore }: { userId: number; projectId: number; notBefore: UnixSeconds },
): Promise<{ id: number; eventIds: number[] } | undefined> {
  const row = await trx
    .selectFrom('delivery')
    .select(['id', 'event_ids'])
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .where('not_before', '=', notBefore)
    .where('channel', '=', 'email')
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .where('event_ids', 'is not', null)
    .where('subscription_id', 'is not', null)
    .executeTakeFirst()
  return row && { id: row.id, eventIds: JSON.parse(row.event_ids!) }
}

export async function setEventIds(trx: Db, id: number, eventIds: number[]): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ event_ids: JSON.stringify(eventIds) })
    .where('id', '=', id)
    .execute()
}

/** Ends all messages that wait for a target; returns how many. */
export async function endWaiting(
  trx: Db,
  targetId: number,
  { status, error, now }: { status: 'skipped' | 'dead'; error: string; now: UnixSeconds },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('delivery')
    .set({ status, error, not_before: null, finished_at: now })
    .where('target_id', '=', targetId)
    .where('not_before', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Rows of earlier releases that wait and have no target. */
export function listWithoutTarget(db: Db) {
  return db
    .selectFrom('delivery')
    .select(['id', 'user_id as userId', 'channel', 'subscription_id as subscriptionId', 'created_at as createdAt'])
    .where('target_id', 'is', null)
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute()
}

export async function assignTarget(
  trx: Db,
  ids: readonly number[],
  { targetId, notBefore }: { targetId: number; notBefore: UnixSeconds },
): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ target_id: targetId, not_before: notBefore })
    .where(sql<boolean>`id in ${integers(ids)}`)
    .execute()
}

/** Waiting messages of some channels, the newest first. */
export function listWaiting(db: Db, channels: readonly ChannelName[]) {
  return db
    .selectFrom('delivery')
    .select(['id', 'target_id as targetId', 'created_at as createdAt'])
    .where('not_before', 'is not', null)
    .where('channel', 'in', channels)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function skipDeliveries(
  trx: Db,
  ids: readonly number[],
  { error, now }: { error: string; now: UnixSeconds },
): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ status: 'skipped', error, not_before: null, finished_at: now })
    .where(sql<boolean>`id in ${integers(ids)}`)
    .execute()
}

/** Clears the reason why messages waited. */
export async function readyDeliveries(trx: Db, channels: readonly ChannelName[]): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ error: null })
    .where('not_before', 'is not', null)
    .where('attempts', '=', 0)
    .where('channel', 'in', channels)
    .execute()
}

/** States of the interface: it knows neither what is being sent nor what was given up. */
const publicStates: Record<DeliveryState, DeliveryLog['status']> = {
  pending: 'pending',
  sending: 'pending',
  failed: 'failed',
  dead: 'failed',
  delivered: 'delivered',
  accepted: 'delivered',
  skipped: 'skipped',
}

/** Newest first. */
export async function listDeliveryLogs(db: Db, userId: number, limit: number): Promise<DeliveryLog[]> {
  const rows = await deliveriesOf(db, userId).orderBy('delivery.id', 'desc').limit(limit).execute()
  return rows.map((row) => ({ id: row.id, ...sharedFields(row), status: publicStates[row.status], error: row.error }))
}

export interface DeliveryFilter {
  state?: DeliveryState | undefined
  channel?: ChannelName | undefined
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  userId: number,
  { state, channel }: DeliveryFilter,
  choice: PageChoice,
): Promise<Page<DeliveryRecord>> {
  let query = deliveriesOf(db, userId)
  if (state !== undefined) query = query.where('delivery.status', '=', state)
  if (channel !== undefined) query = query.where('delivery.channel', '=', channel)
  const rows = await query
    .orderBy('delivery.id', 'desc')
    .limit(choice.perPage)
    .offset((choice.page - 1) * choice.perPage)
    .execute()
  return pageOf(rows.map(toDelivery), choice, () =>
    query
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  )
}

export interface DeliveryRow {
  id: number
  targetId: number | null
  delivery: DeliveryRecord
  eventIds: number[]
  digest: StoredDigest | null
}

/** Throws `not_found` for what is not the user's. */
export async function getDelivery(db: Db, userId: number, publicId: string): Promise<DeliveryRow> {
  const row = await deliveriesOf(db, userId).where('delivery.public_id', '=', publicId).executeTakeFirst()
  if (!row) throw notFound('delivery', publicId)
  const { eventIds, digest } = toMessage(row)
  return { id: row.id, targetId: row.target_id, delivery: toDelivery(row), eventIds: eventIds ?? [], digest }
}

/** Makes a message due at once, with all its attempts. Throws `conflict` for one that never had an address. */
export async function retryDelivery(trx: Db, id: number, now: UnixSeconds): Promise<void> {
  const row = await trx
    .updateTable('delivery')
    .set({ status: 'pending', not_before: now, attempts: 0, finished_at: null, error: null, http_status: null })
    .where('id', '=', id)
    .where('status', '!=', 'sending')
    .where('target_id', 'is not', null)
    .returning('target_id')
    .executeTakeFirst()
  const target = row?.target_id
  if (target) return wakeTarget(trx, target, now)
  const { status } = await trx.selectFrom('delivery').select('status').where('id', '=', id).executeTakeFirstOrThrow()
  if (status !== 'sending') {
    throw new ReltError('conflict', 'This notification has no address to send to.', {
      hint: 'Set up its channel, and replay the time of its events.',
    })
  }
}

/** Gives up what waits; anything else stays as it is. */
export async function dropDelivery(trx: Db, id: number, now: UnixSeconds): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ status: 'skipped', error: 'dropped', not_before: null, finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'failed'])
    .execute()
}

function deliveriesOf(db: Db, userId: number) {
  return db
    .selectFrom('delivery')
    .leftJoin('project', 'project.id', 'delivery.project_id')
    .selectAll('delivery')
    .select('project.name')
    .where('user_id', '=', userId)
}

type DeliveryRowOf = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['execute']>>[number]

function toDelivery(row: DeliveryRowOf): DeliveryRecord {
  const time = (seconds: number | null) => (seconds === null ? null : formatTimestamp(seconds))
  return {
    delivery_id: row.public_id,
    ...sharedFields(row),
    state: row.status,
    reason: row.error,
    next_attempt_at: row.status === 'sending' ? null : time(row.not_before),
    finished_at: time(row.finished_at),
  }
}

function sharedFields({ created_at, kind, channel, target, subscription_id, project_id, ...row }: DeliveryRowOf) {
  const { name, version, attempts, http_status } = row
  const about = { subscription_id, product_id: project_id, name, version }
  return { created_at: formatTimestamp(created_at), kind, channel, target, ...about, attempts, http_status }
}

/** Waiting and finished messages by channel and state, and since when the oldest due one waits (unix seconds). */
export async function countDeliveries(
  db: Db,
  now: UnixSeconds,
): Promise<{ counts: { channel: ChannelName; state: DeliveryState; count: number }[]; oldestDue: UnixSeconds | null }> {
  const counts = await db
    .selectFrom('delivery')
    .select(['channel', 'status as state', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy(['channel', 'status'])
    .execute()
  const { oldestDue } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.min('not_before').as('oldestDue'))
    .where('not_before', '<=', now)
    .executeTakeFirstOrThrow()
  return { counts, oldestDue }
}

/** Removes the oldest from before a time (unix seconds), at most `limit`; returns how many went. */
export async function removeOldDeliveries(
  db: Db,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('delivery')
    .where('id', 'in', (eb) =>
      eb.selectFrom('delivery').select('id').where('created_at', '<', before).orderBy('id').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
