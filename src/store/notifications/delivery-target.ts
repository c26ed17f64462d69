import { sql } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import { greater, rowLock, rowLockOrSkip } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import { takeLock } from '../../db/transaction.ts'
import { upsert } from '../../db/upsert.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** The address of a message: of an account, or of one of its subscriptions. */
export interface TargetPlace {
  userId: number
  channel: ChannelName
  subscriptionId: number | null
}

export interface Target extends TargetPlace {
  id: number
  failingSince: UnixSeconds | null
  offAt: UnixSeconds | null
  offReason: string | null
}

const columns = sql`id, user_id as "userId", channel, subscription_id as "subscriptionId",
  failing_since as "failingSince", off_at as "offAt", off_reason as "offReason"`

/**
 * Adds the target if missing, and locks its row: a sender that releases or disables it waits until the message is stored.
 */
export async function ensureTarget(trx: Db, { userId, channel, subscriptionId }: TargetPlace) {
  await sql`insert into delivery_target (user_id, channel, subscription_id) values (${userId}, ${channel}, ${subscriptionId})
    on conflict (user_id, channel, coalesce(subscription_id, 0)) do nothing`.execute(trx)
  const { rows } = await sql<Target>`select ${columns} from delivery_target
    where user_id = ${userId} and channel = ${channel}
      and coalesce(subscription_id, 0) = ${subscriptionId ?? 0} ${rowLock()}`.execute(trx)
  return rows[0]!
}

export async function getTarget(db: Db, id: number) {
  const { rows } = await sql<Target>`select ${columns} from delivery_target where id = ${id}`.execute(db)
  return rows[0]!
}

/** Enabled places of the account on other channels, mail first. */
export async function listOtherPlaces(db: Db, { userId, channel }: TargetPlace) {
  const { rows } = await sql<TargetPlace>`
    select cast(${userId} as bigint) as "userId", place.channel, null as "subscriptionId"
    from (select 'email' as channel, 0 as position from "user" where id = ${userId} and coalesce(email, '') <> ''
      union all select channel, 1 from webhook where user_id = ${userId} and subscription_id is null) as place
    where place.channel <> ${channel} and not exists (select 1 from delivery_target as target
      where target.user_id = ${userId} and target.channel = place.channel and target.subscription_id is null
        and target.off_at is not null)
    order by position, channel`.execute(db)
  return rows
}

/**
 * Sets the time at which a message is due. A sender with the lease rereads the row before it releases it, and waits for this
 * transaction: the row is updated in any case.
 */
export async function wakeTarget(trx: Db, id: number, at: UnixSeconds) {
  await sql`update delivery_target
    set next_at = case when lease is null and (next_at is null or next_at > ${at}) then ${at} else next_at end
    where id = ${id}`.execute(trx)
}

interface Claim {
  channels: readonly ChannelName[]
  now: UnixSeconds
  leaseSeconds: number
  /** Name of the sender's lease. */
  lease: string
  limit: number
}

/** Whether a target of the channels has a due message. Read-only, so that an idle sender takes no lock. */
export function hasDueTarget(db: Db, { channels, now }: Pick<Claim, 'channels' | 'now'>) {
  return hasRows(db.selectFrom('delivery_target').where('next_at', '<=', now).where('channel', 'in', channels))
}

/**
 * Leases the targets that have waited longest, including expired leases, whose sender died. PostgreSQL may evaluate a
 * subquery in the condition again for each row, and then lock more rows than the limit.
 */
export async function claimTargets(trx: Db, { channels, now, leaseSeconds, lease, limit }: Claim) {
  const { rows } = await sql<Target>`
    with due as materialized (
      select id from delivery_target
      where next_at <= ${now} and channel in (${sql.join(channels.map((name) => sql`${name}`))})
      order by next_at limit ${sql.lit(limit)} ${rowLockOrSkip()})
    update delivery_target set lease = ${lease}, next_at = ${now + leaseSeconds}
    where id in (select id from due) and next_at <= ${now}
    returning ${columns}`.execute(trx)
  return rows
}

/** Leases one target, whether or not a message waits; false if another sender has it. */
export async function claimTarget(
  trx: Db,
  { id, lease, now, leaseSeconds }: { id: number } & Pick<Claim, 'lease' | 'now' | 'leaseSeconds'>,
) {
  const { numUpdatedRows } = await trx
    .updateTable('delivery_target')
    .set({ lease, next_at: now + leaseSeconds })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lease', 'is', null), eb('next_at', '<=', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends a lease. The target becomes due with its next message, but not before `earliest`. */
export async function releaseTarget(
  trx: Db,
  { id, lease, earliest }: { id: number; lease: string; earliest: UnixSeconds },
) {
  // Only a statement after this one sees messages of a transaction that had the row locked.
  await sql`select id from delivery_target where id = ${id} ${rowLock()}`.execute(trx)
  await sql`update delivery_target set lease = null, next_at = ${greater(
    sql`${earliest}`,
    sql`(select min(not_before) from delivery where target_id = ${id} and not_before is not null)`,
  )}
    where id = ${id} and lease = ${lease}`.execute(trx)
}

/** Null: the host responded. Repeated failures keep the time of the first one. */
export async function setFailingSince(trx: Db, id: number, since: UnixSeconds | null) {
  await trx
    .updateTable('delivery_target')
    .set((eb) => ({ failing_since: since === null ? null : eb.fn.coalesce('failing_since', eb.val(since)) }))
    .where('id', '=', id)
    .execute()
}

export async function switchOff(trx: Db, id: number, { at, reason }: { at: UnixSeconds; reason: string }) {
  await trx.updateTable('delivery_target').set({ off_at: at, off_reason: reason }).where('id', '=', id).execute()
}

/** Enables targets after a successful test or a new address: all targets of the place if no id is given. */
export async function switchOn(trx: Db, place: Pick<TargetPlace, 'userId' | 'channel'>) {
  await trx
    .updateTable('delivery_target')
    .set({ off_at: null, off_reason: null, failing_since: null })
    .where('user_id', '=', place.userId)
    .where('channel', '=', place.channel)
    .where((eb) => eb.or([eb('off_at', 'is not', null), eb('failing_since', 'is not', null)]))
    .execute()
}

/** Time until which the host is not called; 0 if it responds. */
export async function findOpenUntil(db: Db, host: string) {
  const row = await db
    .selectFrom('delivery_host')
    .select(['failures', 'open_until as openUntil'])
    .where('host', '=', host)
    .executeTakeFirst()
  return row ?? { failures: 0, openUntil: 0 }
}

/**
 * Records a failure of the host, which is then not called for this many seconds. Returns the number of consecutive failures.
 */
export async function noteHostFailure(
  trx: Db,
  host: string,
  { now, toPause }: { now: UnixSeconds; toPause: (failures: number) => number },
) {
  await takeLock(trx, `host:${host} failures`)
  const { failures } = await findOpenUntil(trx, host)
  const row = { failures: failures + 1, open_until: now + toPause(failures + 1) }
  await upsert(trx, 'delivery_host', { host }, row)
  return row.failures
}

export async function noteHostAnswer(trx: Db, host: string) {
  await trx.deleteFrom('delivery_host').where('host', '=', host).execute()
}
