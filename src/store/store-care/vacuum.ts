import { sql } from 'kysely'
import { databaseFor } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'

const incremental = 2
const pagesAtOnce = 2000

/**
 * Returns the pages of deleted rows to the disk, in steps with pauses for other writers. Rewrites a store created without
 * incremental vacuum completely, once more than half of it is free. PostgreSQL vacuums by itself.
 */
export async function vacuum(db: Db) {
  if (databaseFor(db) === 'postgres') return
  const free = await pragma(db, 'freelist_count')
  if ((await pragma(db, 'auto_vacuum')) !== incremental) {
    if (free * 2 <= (await pragma(db, 'page_count'))) return
    await sql.raw(`pragma auto_vacuum = ${incremental}`).execute(db)
    await sql`vacuum`.execute(db)
    return
  }
  for (let left = free; left > 0; left -= pagesAtOnce) {
    await sql.raw(`pragma incremental_vacuum(${pagesAtOnce})`).execute(db)
  }
}

/** Writes the WAL to the main file and truncates the `-wal` file, which could still contain old rows. */
export async function truncateWal(db: Db) {
  if (databaseFor(db) === 'postgres') return
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

async function pragma(db: Db, name: 'auto_vacuum' | 'freelist_count' | 'page_count') {
  const { rows } = await sql.raw<Record<string, number>>(`pragma ${name}`).execute(db)
  return rows[0]![name]!
}
