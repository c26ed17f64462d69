import { sql, type Transaction } from 'kysely'

const isRetired = `not exists (select 1 from data_key where id = new.key_id and purpose = 'seal' and retired_at is null)`
const refuse = (name: string, event: string) =>
  sql.raw(`create trigger ${name} before ${event} when ${isRetired} begin select raise(abort, 'retired data key'); end`)

const statements = [
  sql`create table signing_secret (
    id integer primary key,
    user_id integer not null references user (id) on delete cascade,
    subscription_id integer references subscription (id) on delete cascade,
    created_at integer not null,
    valid_until integer,
    key_id text not null,
    sealed blob not null
  )`,
  sql`create index signing_secret_by_user on signing_secret (user_id)`,
  sql`create index signing_secret_by_subscription on signing_secret (subscription_id)`,
  sql`create index signing_secret_by_key on signing_secret (key_id)`,
  refuse('signing_secret_key', 'insert on signing_secret'),
  refuse('signing_secret_new_key', 'update of key_id on signing_secret'),
]

/** Secrets that sign generic webhooks. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
