import { sql } from 'kysely'
import { toDay } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { lastDay } from '../../util/time.ts'

/** Day of the newest advisories, `YYYY-MM-DD`: bundled, or of an answer. */
export async function findNewestAdvisories(db: Db) {
  const { rows } = await sql<Record<'answered' | 'bundled', string | null>>`
    select ${toDay(sql`max(answered_at) filter (where kind = 'osv')`)} as answered,
      (select max(advisories_as_of) from project) as bundled
    from source`.execute(db)
  return lastDay(rows[0]!.answered, rows[0]!.bundled) ?? null
}

/** Number of failing sources by kind, of those that answered at least once. */
export function countFailingSources(db: Db) {
  return db
    .selectFrom('source')
    .select(['kind', sql<number>`count(*) filter (where outcome not in ('changed', 'unchanged'))`.as('failing')])
    .where('answered_at', 'is not', null)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}
