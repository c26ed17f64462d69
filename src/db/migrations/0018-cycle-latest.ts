import { sql, type Transaction } from 'kysely'

/** The last release of a cycle. Cycles and advisories are read again, since unchanged answers have no ranges. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  await sql`alter table cycle add column latest text`.execute(trx)
  await sql`update source set etag = null, last_modified = null, cursor = null where kind in ('eol', 'advisories')`.execute(
    trx,
  )
}
