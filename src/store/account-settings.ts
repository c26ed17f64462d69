import { sql } from 'kysely'
import type { AccountSettings } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { plainList } from './plain-list.ts'

/** Notification settings of an account, beside its webhooks. */
export interface NotificationSettings {
  email: string | null
  webhook_release_types: string
}

export function getNotificationSettings(db: Db, userId: number): Promise<NotificationSettings> {
  return db
    .selectFrom('user')
    .select(['email', 'webhook_release_types'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Addresses by account; accounts without one are missing. */
export async function listEmails(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where(sql<boolean>`id in (select value from json_each(${JSON.stringify(userIds)}))`)
    .execute()
  return new Map(rows.flatMap(({ id, email }) => (email ? [[id, email]] : [])))
}

/** Changes only the given fields. */
export async function updateNotificationSettings(
  trx: Db,
  userId: number,
  { webhook_release_types }: Pick<AccountSettings, 'webhook_release_types'>,
): Promise<void> {
  if (webhook_release_types === undefined) return
  await trx
    .updateTable('user')
    .set({ webhook_release_types: plainList(webhook_release_types) })
    .where('id', '=', userId)
    .execute()
}
