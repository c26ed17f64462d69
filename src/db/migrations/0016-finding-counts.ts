import { sql, type Transaction } from 'kysely'

/** Lists of findings count without reading records, and find the latest run of each scanner without reading older runs. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table run add column distinct_findings text`.execute(trx)
  await sql`create index run_by_format on run (cluster_id, format, at, id)`.execute(trx)
}
