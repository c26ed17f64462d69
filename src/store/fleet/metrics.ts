import { type RawBuilder, sql } from 'kysely'
import { toDay } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'

export interface FactDays {
  /** Days of the last answer from any source of releases, and of advisories, `YYYY-MM-DD`; null without one. */
  releases: string | null
  advisories: string | null
}

/** How recent the catalog's facts are. */
export async function findNewestFacts(db: Db): Promise<FactDays> {
  const answered = (kinds: RawBuilder<unknown>) => toDay(sql`max(answered_at) filter (where kind in (${kinds}))`)
  const { rows } = await sql<FactDays & { bundled: string | null }>`
    select ${answered(sql`'github', 'helm', 'oci'`)} as releases, ${answered(sql`'osv'`)} as advisories,
      (select max(advisories_as_of) from project) as bundled
    from source`.execute(db)
  const { releases, advisories, bundled } = rows[0]!
  return {
    releases,
    advisories:
      [advisories, bundled]
        .filter((day) => day !== null)
        .sort()
        .at(-1) ?? null,
  }
}

/** Number of failing sources by kind, for kinds that were synced at least once. */
export function countFailingSources(db: Db) {
  return db
    .selectFrom('source')
    .select(['kind', sql<number>`count(*) filter (where outcome not in ('changed', 'unchanged'))`.as('failing')])
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}
