import { sql, type Transaction } from 'kysely'

const columns: [table: string, column: string][] = [
  ['api_key', 'tag'],
  ['user', 'password_tag'],
  ['user', 'role_tag'],
  ['team_member', 'tag'],
  ['session', 'tag'],
  ['feed', 'tag'],
]

/** Keyed hashes of what grants access. The first opening with the store's key makes those of rows that exist. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} blob`.execute(trx)
  }
}

export const postgres = columns
  .map(([table, column]) => `alter table "${table}" add column ${column} bytea;`)
  .join('\n')
