import { sql } from 'kysely'
import type { AccountSettings } from '../../contract/subscription.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { plainList } from './plain-list.ts'

/** Notification settings of an account, without its webhooks. */
export async function getNotificationSettings(db: Db, userId: number) {
  const row = await db
    .selectFrom('user')
    .select(['email', 'webhook_release_types', 'time_zone', 'digest_hour', 'digest_weekday', 'quiet_hours'])
    .select(['quiet_hours_except', 'min_severity', 'only_what_runs', 'cluster_events', 'cluster_scope'])
    .select(['cluster_mails', 'owner_scope', 'fleet_report'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { ...row, only_what_runs: row.only_what_runs === 1, cluster_mails: row.cluster_mails === 1 }
}

/** Account id → e-mail address; omits accounts without one. */
export async function listEmails(db: Db, userIds: readonly number[]) {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where(sql<boolean>`id in ${integers(userIds)}`)
    .execute()
  return new Map(rows.flatMap(({ id, email }) => (email ? [[id, email]] : [])))
}

/** Changes only the given fields; webhooks are stored elsewhere. */
export async function updateNotificationSettings(trx: Db, userId: number, change: AccountSettings) {
  const { webhook_release_types, only_what_runs, cluster_events, cluster_mails, ...others } = change
  const { time_zone, digest_hour, digest_weekday, quiet_hours, quiet_hours_except, min_severity } = others
  await trx
    .updateTable('user')
    .set({
      // Included because an update needs at least one column.
      id: userId,
      webhook_release_types: plainList(webhook_release_types),
      time_zone,
      digest_hour,
      digest_weekday,
      quiet_hours,
      quiet_hours_except,
      min_severity,
      only_what_runs: only_what_runs === undefined ? undefined : Number(only_what_runs),
      cluster_events: plainList(cluster_events),
      cluster_scope: others.cluster_scope?.trim(),
      cluster_mails: cluster_mails === undefined ? undefined : Number(cluster_mails),
      owner_scope: others.owner_scope?.trim(),
      fleet_report: others.fleet_report,
    })
    .where('id', '=', userId)
    .execute()
}
