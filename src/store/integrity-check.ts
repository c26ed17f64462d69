import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Problems that SQLite finds in the file's pages, at most ten. Reads the whole file and blocks the thread. */
export async function findDamage(db: Db): Promise<string[]> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(10)`.execute(db)
  return rows.map(({ quick_check }) => quick_check).filter((found) => found !== 'ok')
}
