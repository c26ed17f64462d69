import { sql, type Transaction } from 'kysely'

const columns: [table: string, column: string, type: 'text' | 'integer'][] = [
  ['api_key', 'made_by', 'text'],
  ['api_key', 'parent', 'text'],
  ['api_key', 'replaces', 'text'],
  ['feed', 'made_by', 'text'],
  ['feed', 'expires_at', 'integer'],
  ['webhook', 'made_by', 'text'],
  ['team_member', 'made_by', 'text'],
  ['user', 'disabled_at', 'integer'],
]

/** What made a thing that grants access, so that it can end with its maker. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const [table, column, type] of columns) {
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(type)}`.execute(trx)
  }
}

const types = { text: 'text collate "C"', integer: 'bigint' }

export const postgres = columns
  .map(([table, column, type]) => `alter table "${table}" add column ${column} ${types[type]};`)
  .join('\n')
