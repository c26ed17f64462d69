import { sql, type Transaction } from 'kysely'

const channels = ['slack', 'teams', 'generic'] as const

/** The id in a sealed webhook of the former columns, `sealed:ID:BASE64`. Undefined: the address is in clear. */
export function parseFormerWebhook(stored: string): { keyId: string; sealed: Buffer } | undefined {
  const [, keyId = '', sealed = ''] = /^sealed:([^:]*):(.*)$/s.exec(stored) ?? []
  return keyId === '' ? undefined : { keyId, sealed: Buffer.from(sealed, 'base64') }
}

const isRetired = `not exists (select 1 from data_key where id = new.key_id and purpose = 'seal' and retired_at is null)`
const refuse = (name: string, event: string) =>
  sql.raw(`create trigger ${name} before ${event} when ${isRetired} begin select raise(abort, 'retired data key'); end`)

/**
 * Webhooks move from columns of accounts and subscriptions to a table of sealed addresses. One that was stored in clear
 * gets no key id here; it is sealed when the store is opened with its key.
 */
export async function up(trx: Transaction<unknown>): Promise<void> {
  const create = [
    sql`create table webhook (
      id integer primary key,
      user_id integer not null references user (id) on delete cascade,
      subscription_id integer references subscription (id) on delete cascade,
      channel text not null,
      key_id text not null,
      sealed blob not null
    )`,
    sql`create unique index webhook_of_account on webhook (user_id, channel) where subscription_id is null`,
    sql`create unique index webhook_of_subscription on webhook (subscription_id, channel)`,
    sql`create index webhook_by_user on webhook (user_id)`,
    sql`create index webhook_by_key on webhook (key_id)`,
    sql`drop trigger user_webhook_key`,
    sql`drop trigger subscription_webhook_key`,
  ]
  for (const statement of create) await statement.execute(trx)
  for (const channel of channels) {
    const column = sql.ref(`${channel}_webhook`)
    await move(trx, channel, sql`select id as user_id, null as subscription_id, ${column} as stored from user`)
    await move(trx, channel, sql`select user_id, id as subscription_id, ${column} as stored from subscription`)
    await sql`alter table user drop column ${column}`.execute(trx)
    await sql`alter table subscription drop column ${column}`.execute(trx)
  }
  await refuse('webhook_key', 'insert on webhook').execute(trx)
  await refuse('webhook_new_key', 'update of key_id on webhook').execute(trx)
}

async function move(trx: Transaction<unknown>, channel: string, select: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ user_id: number; subscription_id: number | null; stored: string }>`
    select * from (${select}) where stored <> ''`.execute(trx)
  for (const { user_id, subscription_id, stored } of rows) {
    const { keyId, sealed } = parseFormerWebhook(stored) ?? { keyId: '', sealed: Buffer.from(stored) }
    await sql`insert into webhook (user_id, subscription_id, channel, key_id, sealed)
      values (${user_id}, ${subscription_id}, ${channel}, ${keyId}, ${sealed})`.execute(trx)
  }
}
