import { sql, type Transaction } from 'kysely'

/** Which projects have addresses that came over the interface: tokens need more than their host then. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table project add column has_synced_address integer not null default 0`.execute(trx)
  await sql`update project set has_synced_address = 1 where origin = 'sync'`.execute(trx)
}
