import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import type { DeliveryState } from '../../contract/delivery.ts'
import type { DeliveryKind } from '../../contract/subscription.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Secret } from '../../util/secret.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** The window of a digest. One that a user requested lists the releases of the window; scheduled ones list their events. */
interface StoredDigest {
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
  /** Null: skipped because there is no address. */
  targetId: number | null
  /** Stored in shortened form; null without an address. */
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

/** Returns the ids in the same order. */
export async function insertDeliveries(trx: Db, deliveries: NewDelivery[]) {
  const ids: number[] = []
  // SQLite allows 32,766 parameters per statement.
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

/** A message that is waiting or being sent. */
export interface OutboxMessage extends Pick<NewDelivery, 'userId' | 'createdAt' | 'kind' | 'channel'> {
  id: number
  publicId: string
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

/** Reschedules messages that wait for their first attempt; returns their targets. */
export async function moveHeld(
  trx: Db,
  { userId, now, notBefore, error }: { userId: number; now: number; notBefore: number; error: string | null },
) {
  const rows = await trx
    .updateTable('delivery')
    .set({ not_before: notBefore, error })
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .where('not_before', '>', now)
    .returning('target_id')
    .execute()
  return [...new Set(rows.flatMap(({ target_id }) => target_id ?? []))]
}

/** Due messages of a target, for the holder of its lease. */
export async function takeMessages(
  trx: Db,
  { targetId, now, limit }: { targetId: number; now: UnixSeconds; limit: number },
): Promise<OutboxMessage[]> {
  // Returns the updated rows, not the selected ones: events may have been added to a message in between.
  const rows = await trx
    // PostgreSQL may evaluate a subquery in the condition again for each row.
    .with(
      (cte) => cte('due').materialized(),
      (qc) =>
        qc
          .selectFrom('delivery')
          .select('id')
          .where('target_id', '=', targetId)
          .where('not_before', '<=', now)
          .orderBy('not_before')
          .orderBy('id')
          .limit(limit),
    )
    .updateTable('delivery')
    .set({ status: 'sending' })
    .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
    .where('not_before', '<=', now)
    .returning([...outboxColumns, 'not_before'])
    .execute()
  rows.sort((a, b) => a.not_before! - b.not_before! || a.id - b.id)
  return rows.map(({ not_before: _, ...row }) => toMessage(row))
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

export function toMessage<T extends { event_ids: string | null; digest: string | null }>({
  event_ids,
  digest,
  ...row
}: T) {
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
  /** Time of the next attempt; null if it is finished. */
  notBefore: UnixSeconds | null
  /** False if nothing was sent. */
  isAttempt: boolean
}

export async function saveAttempt(trx: Db, id: number, result: AttemptResult, now: UnixSeconds) {
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

/** A waiting mail about a project with a given due time, to which more events of that time are added. */
export async function findWaitingMail(
  trx: Db,
  { userId, projectId, notBefore }: { userId: number; projectId: number; notBefore: UnixSeconds },
) {
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
  return row && { id: row.id, eventIds: JSON.parse(row.event_ids!) as number[] }
}

/** False if a sender has taken the message in the meantime. */
export async function setEventIds(trx: Db, id: number, eventIds: number[]) {
  const { numUpdatedRows } = await trx
    .updateTable('delivery')
    .set({ event_ids: JSON.stringify(eventIds) })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends all waiting messages of a target; returns how many. */
export async function endWaiting(
  trx: Db,
  targetId: number,
  { status, error, now }: { status: 'skipped' | 'dead'; error: string; now: UnixSeconds },
) {
  const { numUpdatedRows } = await trx
    .updateTable('delivery')
    .set({ status, error, not_before: null, finished_at: now })
    .where('target_id', '=', targetId)
    .where('not_before', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Waiting messages of some channels, newest first. */
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
) {
  await trx
    .updateTable('delivery')
    .set({ status: 'skipped', error, not_before: null, finished_at: now })
    .where(sql<boolean>`id in ${integers(ids)}`)
    .execute()
}

/** Clears the reason why messages wait. */
export async function readyDeliveries(trx: Db, channels: readonly ChannelName[]) {
  await trx
    .updateTable('delivery')
    .set({ error: null })
    .where('not_before', 'is not', null)
    .where('attempts', '=', 0)
    .where('channel', 'in', channels)
    .execute()
}

/** Waiting and finished messages by channel and state, and since when the oldest due one waits (unix seconds). */
export async function countDeliveries(db: Db, now: UnixSeconds) {
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
