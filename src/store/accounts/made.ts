import { sql } from 'kysely'
import type { WebhookName } from '../../contract/channels.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/page.ts'

/** An active or ended key of an account, and its origin; see the table. */
export interface KeyOrigin {
  uuid: string
  madeBy: string | null
  replaces: string | null
}

export function listKeyOrigins(db: Db, userId: number): Promise<KeyOrigin[]> {
  return db
    .selectFrom('key_origin')
    .select(['uuid', 'made_by as madeBy', 'replaces'])
    .where('user_id', '=', userId)
    .orderBy('uuid')
    .execute()
}

/** Deletes ended keys of which nothing is left. */
export async function forgetOrigins(trx: Db, userId: number) {
  const makers = [
    'key_origin',
    'feed',
    'webhook',
    'team_member',
    'exception',
    'series',
    'gate_baseline',
    'workload_split',
  ].map((table) => sql`select made_by from ${sql.table(table)} where made_by is not null`)
  await sql`delete from key_origin where user_id = ${userId}
    and uuid not in (select uuid from api_key where user_id = ${userId})
    and uuid not in (select replaces from key_origin where user_id = ${userId} and replaces is not null)
    and uuid not in (${sql.join(makers, sql` union all `)})`.execute(trx)
}

export interface MadeWebhook {
  id: number
  channel: WebhookName
  subscriptionId: number | null
}

/** Webhooks of the makers' account and its teams. */
export function listMadeWebhooks(db: Db, makers: string[]): Promise<MadeWebhook[]> {
  return db
    .selectFrom('webhook')
    .select(['id', 'channel', 'subscription_id as subscriptionId'])
    .where('made_by', 'in', makers)
    .orderBy('id')
    .execute()
}

export function listWebhookIds(db: Db, userId: number) {
  return db.selectFrom('webhook').select(['id', 'channel']).where('user_id', '=', userId).orderBy('id').execute()
}

export async function removeWebhook(trx: Db, id: number) {
  await trx.deleteFrom('webhook').where('id', '=', id).execute()
}

/** Ids as in the contract. */
export async function listMadeFeeds(db: Db, userId: number, makers: string[]) {
  const rows = await db
    .selectFrom('feed')
    .select('public_id')
    .where('user_id', '=', userId)
    .where('made_by', 'in', makers)
    .orderBy('id')
    .execute()
  return rows.map(({ public_id }) => public_id)
}

export interface MadeMember {
  team: string
  login: string
  teamId: number
  userId: number
}

/** Members added to a team with these makers, which are keys or the password of one account. */
export function listMadeMembers(db: Db, makers: string[]): Promise<MadeMember[]> {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('user', 'user.id', 'team_member.user_id')
    .select(['team.name as team', 'login', 'team_member.team_id as teamId', 'team_member.user_id as userId'])
    .where('team_member.made_by', 'in', makers)
    .orderBy('team.name')
    .orderBy('login')
    .execute()
}

export function countKeySessions(db: Db, uuids: string[]) {
  return countRows(
    db.selectFrom('session').innerJoin('api_key', 'api_key.id', 'session.key_id').where('api_key.uuid', 'in', uuids),
  )
}
