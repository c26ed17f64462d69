import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** What SQLite finds wrong with the pages of the file, at most ten things. It reads all of it, and nothing else runs meanwhile. */
export async function findDamage(db: Db): Promise<string[]> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(10)`.execute(db)
  return rows.map(({ quick_check }) => quick_check).filter((found) => found !== 'ok')
}
