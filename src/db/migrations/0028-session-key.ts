import { sql, type Transaction } from 'kysely'

/** A session that was opened with an API key has its scope, and ends with it. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table session add column key_id integer references api_key (id) on delete cascade`.execute(trx)
  await sql`create index session_by_key on session (key_id)`.execute(trx)
}

export const postgres = `
alter table session add column key_id bigint references api_key (id) on delete cascade;
create index session_by_key on session (key_id);
`
