import { sql } from 'kysely'
import { databaseFor } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'

/** Problems that SQLite finds in the file's pages, at most ten. Reads the whole file and blocks the thread. PostgreSQL checks its pages itself. */
export async function findDamage(db: Db) {
  if (databaseFor(db) === 'postgres') return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(10)`.execute(db)
  return rows.map(({ quick_check }) => quick_check).filter((found) => found !== 'ok')
}

/** `PostgreSQL 18.4, database relt`; undefined if the store is a SQLite file. */
export async function findDatabaseServer(db: Db) {
  if (databaseFor(db) === 'sqlite') return undefined
  const { rows } = await sql<{ name: string; version: string }>`
    select current_database() as name, current_setting('server_version') as version`.execute(db)
  return `PostgreSQL ${rows[0]!.version}, database ${rows[0]!.name}`
}
