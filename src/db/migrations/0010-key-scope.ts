import { sql, type Transaction } from 'kysely'

const statements = [
  sql`alter table api_key add column expires_at integer`,
  sql`alter table api_key add column scope text not null default 'all'`,
]

/** A key may expire, and may be for reading or for uploads alone. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(trx)
}
