import { sql, type Transaction } from 'kysely'

/** Marks projects whose addresses were set through the API: their tokens need whole addresses, not only hosts. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table project add column has_synced_address integer not null default 0`.execute(trx)
  await sql`update project set has_synced_address = 1 where origin = 'sync'`.execute(trx)
}
