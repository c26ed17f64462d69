import { sql, type Transaction } from 'kysely'

/** Lists show these without opening what is sealed. Null until a profile from before is listed once. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table cluster_config add column name text`.execute(trx)
  await sql`alter table cluster_config add column provider text`.execute(trx)
}
