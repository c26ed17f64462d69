import { sql, type Transaction } from 'kysely'

const columns = [
  ['cluster', 'name'],
  ['cluster', 'environment'],
  ['cluster_config', 'cluster_name'],
  ['label', 'name'],
  ['project', 'name'],
] as const

/**
 * Requests have their names in Unicode's form NFC, so stored names get it too, or nothing finds them. SQLite knows no
 * forms. A name whose NFC form is taken stays as it is.
 */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    const { rows } = await sql<{
      id: number
      name: string
    }>`select id, ${sql.ref(column)} as name from ${sql.table(table)}
      where ${sql.ref(column)} glob '*[^ -~]*'`.execute(trx)
    for (const { id, name } of rows) {
      const composed = name.normalize('NFC')
      if (composed === name) continue
      await sql`update or ignore ${sql.table(table)} set ${sql.ref(column)} = ${composed} where id = ${id}`.execute(trx)
    }
  }
}
