import { sql, type Transaction } from 'kysely'

const isRetired = `not exists (select 1 from data_key where id = new.key_id and purpose = 'seal' and retired_at is null)`
const refuse = (name: string, event: string) =>
  sql.raw(`create trigger ${name} before ${event} when ${isRetired} begin select raise(abort, 'retired data key'); end`)

const statements = [
  sql`create table exception (
    id integer primary key,
    exception_id text not null unique,
    owner_id integer not null references owner (id) on delete cascade,
    created_at integer not null,
    created_by text not null,
    expires_on text not null,
    ends_at integer not null,
    ended_by text,
    key_id text not null,
    sealed blob not null
  )`,
  sql`create index exception_by_end on exception (owner_id, ends_at)`,
  refuse('exception_key', 'insert on exception'),
  refuse('exception_new_key', 'update of key_id on exception'),
]

/** Exceptions of the gate that are stored with their owner. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
