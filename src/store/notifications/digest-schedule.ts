import { sql } from 'kysely'
import type { Weekday } from '../../contract/choices.ts'
import type { Db } from '../../db/open.ts'
import type { ScheduledPeriod } from '../../delivery/digest-times.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface DigestSchedule {
  userId: number
  period: ScheduledPeriod
  rule: string
  nextAt: UnixSeconds
  since: UnixSeconds
  lastEvent: number
}

export interface DigestWish {
  userId: number
  period: ScheduledPeriod
  hour: number
  weekday: Weekday
  timeZone: string
  /** Rule of the stored schedule; null if there is none. */
  rule: string | null
}

/** Accounts that want digests of subscriptions, or a report on all clusters. */
export async function listDigestWishes(db: Db) {
  const { rows } = await sql<DigestWish>`
    select "user".id as "userId", wanted.period, digest_hour as hour, digest_weekday as weekday, time_zone as "timeZone",
      schedule.rule
    from (select distinct user_id, email_frequency as period from subscription
      where email_frequency <> 'per_app' and email_enabled = 1
      union all select id, 'fleet' from "user" where fleet_report <> 'off') as wanted
    join "user" on "user".id = wanted.user_id
    left join digest_schedule as schedule on schedule.user_id = "user".id and schedule.period = wanted.period`.execute(
    db,
  )
  return rows
}

/** An existing schedule keeps the position up to which it has collected events. */
export async function saveDigestSchedule(trx: Db, schedule: DigestSchedule) {
  const { userId, period, rule, nextAt, since, lastEvent } = schedule
  await trx
    .insertInto('digest_schedule')
    .values({ user_id: userId, period, rule, next_at: nextAt, since, last_event: lastEvent })
    .onConflict((conflict) => conflict.columns(['user_id', 'period']).doUpdateSet({ rule, next_at: nextAt }))
    .execute()
}

export async function listDueDigests(db: Db, now: UnixSeconds, limit: number): Promise<DigestSchedule[]> {
  return db
    .selectFrom('digest_schedule')
    .select(['user_id as userId', 'period', 'rule', 'next_at as nextAt', 'since', 'last_event as lastEvent'])
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute()
}

/** False if another process has handled this digest. */
export async function advanceDigest(
  trx: Db,
  { userId, period, nextAt }: Pick<DigestSchedule, 'userId' | 'period' | 'nextAt'>,
  next: Pick<DigestSchedule, 'nextAt' | 'since' | 'lastEvent'>,
) {
  const { numUpdatedRows } = await trx
    .updateTable('digest_schedule')
    .set({ next_at: next.nextAt, since: next.since, last_event: next.lastEvent })
    .where('user_id', '=', userId)
    .where('period', '=', period)
    .where('next_at', '=', nextAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function removeDigestSchedule(trx: Db, { userId, period }: Pick<DigestSchedule, 'userId' | 'period'>) {
  await trx.deleteFrom('digest_schedule').where('user_id', '=', userId).where('period', '=', period).execute()
}
