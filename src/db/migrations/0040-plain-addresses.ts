import { sql, type Transaction } from 'kysely'

const places: [table: string, columns: string[]][] = [
  ['project', ['homepage', 'docs_url', 'repo_url', 'helm_chart_repo', 'logo_url']],
  ['release', ['url']],
  ['source', ['url']],
]

/** Takes users and passwords out of addresses that everybody sees. No request was made with them. */
export async function up(trx: Transaction<unknown>): Promise<void> {
  for (const [table, columns] of places) {
    for (const name of columns) {
      const column = sql.ref(name)
      // SQLite has no regular expressions: what is between the slashes and the first @ of the host goes.
      const start = sql`instr(${column}, '://') + 3`
      const rest = sql`substr(${column}, ${start})`
      const host = sql`substr(${rest}, 1, instr(replace(replace(${rest}, '?', '/'), '#', '/') || '/', '/') - 1)`
      const update = sql`update ${sql.table(table)} set ${column} = substr(${column}, 1, ${start} - 1)
          || substr(${rest}, instr(${rest}, '@') + 1)
        where ${column} like '%://%@%' and instr(${host}, '@') > 0`
      // A password may have an @ in it.
      for (let changed = 1n; changed > 0n; ) changed = (await update.execute(trx)).numAffectedRows ?? 0n
    }
  }
}

export const postgres = places
  .flatMap(([table, columns]) =>
    columns.map(
      (
        column,
      ) => `update "${table}" set ${column} = regexp_replace(${column}, '^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@', '\\1')
  where ${column} ~ '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*@';`,
    ),
  )
  .join('\n')
