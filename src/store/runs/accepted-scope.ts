import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

export type AcceptedScopeRow = Omit<Selectable<Tables['accepted_scope']>, 'id' | 'series_id'>

/** One row for each series that was merged into this one, the latest acceptance first. */
export function listAcceptedScopes(db: Db, seriesId: number): Promise<AcceptedScopeRow[]> {
  return db
    .selectFrom('accepted_scope')
    .select(['scope_id', 'run_id', 'accepted_at', 'accepted_by', 'key_id', 'sealed'])
    .where('series_id', '=', seriesId)
    .orderBy((eb) => eb.fn.coalesce('accepted_at', eb.lit(0)), 'desc')
    .orderBy('id')
    .execute()
}

/** Replaces all earlier rows. */
export async function saveAcceptedScope(trx: Db, row: Insertable<Tables['accepted_scope']>): Promise<void> {
  await trx.deleteFrom('accepted_scope').where('series_id', '=', row.series_id).execute()
  await trx.insertInto('accepted_scope').values(row).execute()
}
