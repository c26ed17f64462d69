import { sql } from 'kysely'
import { databaseFor } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'

const incremental = 2
const pagesAtOnce = 2000

/**
 * Gives the pages of deleted rows back to the disk, in steps that leave room for writers in between. A store from before
 * this was possible is rewritten as a whole, once more than half of it is free. PostgreSQL does so by itself.
 */
export async function vacuum(db: Db): Promise<void> {
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

/** Moves what was written last into the main file and empties the `-wal` file, where old rows could still be read. */
export async function truncateWal(db: Db): Promise<void> {
  if (databaseFor(db) === 'postgres') return
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

async function pragma(db: Db, name: 'auto_vacuum' | 'freelist_count' | 'page_count'): Promise<number> {
  const { rows } = await sql.raw<Record<string, number>>(`pragma ${name}`).execute(db)
  return rows[0]![name]!
}
