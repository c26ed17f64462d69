import { sql } from 'kysely'
import type { ChannelName } from '../../contract/channels.ts'
import { greater, rowLock, rowLockOrSkip } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { takeLock } from '../../db/transaction.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** The address that a message goes to: of an account, or of one of its subscriptions. */
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
 * Adds the target if there is none yet, and locks it: a sender that releases it, or switches it off, waits until the
 * message for it is stored.
 */
export async function ensureTarget(trx: Db, { userId, channel, subscriptionId }: TargetPlace): Promise<Target> {
  await sql`insert into delivery_target (user_id, channel, subscription_id) values (${userId}, ${channel}, ${subscriptionId})
    on conflict (user_id, channel, coalesce(subscription_id, 0)) do nothing`.execute(trx)
  const { rows } = await sql<Target>`select ${columns} from delivery_target
    where user_id = ${userId} and channel = ${channel}
      and coalesce(subscription_id, 0) = ${subscriptionId ?? 0} ${rowLock()}`.execute(trx)
  return rows[0]!
}

export async function getTarget(db: Db, id: number): Promise<Target> {
  const { rows } = await sql<Target>`select ${columns} from delivery_target where id = ${id}`.execute(db)
  return rows[0]!
}

/** Places of the account on other channels that are not switched off, mail first. */
export async function listOtherPlaces(db: Db, { userId, channel }: TargetPlace): Promise<TargetPlace[]> {
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
 * A message for it is due at a time. A sender that has it looks again before it lets go, and waits for this transaction:
 * the row is updated in any case.
 */
export async function wakeTarget(trx: Db, id: number, at: UnixSeconds): Promise<void> {
  await sql`update delivery_target
    set next_at = case when lease is null and (next_at is null or next_at > ${at}) then ${at} else next_at end
    where id = ${id}`.execute(trx)
}

interface Claim {
  channels: readonly ChannelName[]
  now: UnixSeconds
  leaseSeconds: number
  /** Name of the sender's claim. */
  lease: string
  limit: number
}

/** Whether a target of the channels has something due. Reads only, so that an idle sender takes no lock. */
export async function hasDueTarget(db: Db, { channels, now }: Pick<Claim, 'channels' | 'now'>): Promise<boolean> {
  const row = await db
    .selectFrom('delivery_target')
    .select('id')
    .where('next_at', '<=', now)
    .where('channel', 'in', channels)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Leases the targets that wait longest. A lease that expired is leased again: its sender died. PostgreSQL may evaluate a
 * subquery in the condition again for each row, and then lock more rows than the limit.
 */
export async function claimTargets(trx: Db, { channels, now, leaseSeconds, lease, limit }: Claim): Promise<Target[]> {
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

/** Leases one target, whatever waits for it; false while another sender has it. */
export async function claimTarget(
  trx: Db,
  { id, lease, now, leaseSeconds }: { id: number } & Pick<Claim, 'lease' | 'now' | 'leaseSeconds'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('delivery_target')
    .set({ lease, next_at: now + leaseSeconds })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lease', 'is', null), eb('next_at', '<=', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends a lease. The target is looked at when its next message is due, but not before `earliest`. */
export async function releaseTarget(
  trx: Db,
  { id, lease, earliest }: { id: number; lease: string; earliest: UnixSeconds },
): Promise<void> {
  // Only a statement after this one sees the message of a transaction that had the row.
  await sql`select id from delivery_target where id = ${id} ${rowLock()}`.execute(trx)
  await sql`update delivery_target set lease = null, next_at = ${greater(
    sql`${earliest}`,
    sql`(select min(not_before) from delivery where target_id = ${id} and not_before is not null)`,
  )}
    where id = ${id} and lease = ${lease}`.execute(trx)
}

/** Null: it answered. A failure keeps the time of the first one. */
export async function setFailingSince(trx: Db, id: number, since: UnixSeconds | null): Promise<void> {
  await trx
    .updateTable('delivery_target')
    .set((eb) => ({ failing_since: since === null ? null : eb.fn.coalesce('failing_since', eb.val(since)) }))
    .where('id', '=', id)
    .execute()
}

export async function switchOff(trx: Db, id: number, { at, reason }: { at: UnixSeconds; reason: string }) {
  await trx.updateTable('delivery_target').set({ off_at: at, off_reason: reason }).where('id', '=', id).execute()
}

/** After a successful test, or when the address is set again: all targets of the place if no id is known. */
export async function switchOn(trx: Db, place: Pick<TargetPlace, 'userId' | 'channel'>): Promise<void> {
  await trx
    .updateTable('delivery_target')
    .set({ off_at: null, off_reason: null, failing_since: null })
    .where('user_id', '=', place.userId)
    .where('channel', '=', place.channel)
    .where((eb) => eb.or([eb('off_at', 'is not', null), eb('failing_since', 'is not', null)]))
    .execute()
}

/** Until when no sender calls a host; 0 for one that answers. */
export async function findOpenUntil(db: Db, host: string): Promise<{ failures: number; openUntil: UnixSeconds }> {
  const row = await db
    .selectFrom('delivery_host')
    .select(['failures', 'open_until as openUntil'])
    .where('host', '=', host)
    .executeTakeFirst()
  return row ?? { failures: 0, openUntil: 0 }
}

/** The host failed once more and is left alone for so many seconds. Returns how often it has failed in a row. */
export async function noteHostFailure(
  trx: Db,
  host: string,
  { now, toPause }: { now: UnixSeconds; toPause: (failures: number) => number },
): Promise<number> {
  await takeLock(trx, `host:${host} failures`)
  const { failures } = await findOpenUntil(trx, host)
  const row = { failures: failures + 1, open_until: now + toPause(failures + 1) }
  await trx
    .insertInto('delivery_host')
    .values({ host, ...row })
    .onConflict((conflict) => conflict.column('host').doUpdateSet(row))
    .execute()
  return row.failures
}

export async function noteHostAnswer(trx: Db, host: string): Promise<void> {
  await trx.deleteFrom('delivery_host').where('host', '=', host).execute()
}
