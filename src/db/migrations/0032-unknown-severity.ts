import { sql, type Transaction } from 'kysely'

/** Counts findings of unknown severity. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table run add column findings_unknown integer not null default 0`.execute(trx)
}

export const postgres = `
alter table run add column findings_unknown bigint not null default 0;
`
