import { sql, type Transaction } from 'kysely'

/** Mails about clusters can be left without ending the other channels. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table user add column cluster_mails integer not null default 1`.execute(trx)
}

export const postgres = `
alter table "user" add column cluster_mails bigint not null default 1;
`
