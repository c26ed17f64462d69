import type { Insertable, Selectable } from 'kysely'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

export type AcceptedScopeRow = Omit<Selectable<Tables['accepted_scope']>, 'id' | 'cluster_id' | 'format'>

/** One row for each cluster that was merged into this one, the latest acceptance first. */
export function listAcceptedScopes(db: Db, clusterId: number, format: ReportFormat): Promise<AcceptedScopeRow[]> {
  return db
    .selectFrom('accepted_scope')
    .select(['scope_id', 'run_id', 'accepted_at', 'accepted_by', 'key_id', 'sealed'])
    .where('cluster_id', '=', clusterId)
    .where('format', '=', format)
    .orderBy((eb) => eb.fn.coalesce('accepted_at', eb.lit(0)), 'desc')
    .orderBy('id')
    .execute()
}

/** Replaces all earlier rows. */
export async function saveAcceptedScope(trx: Db, row: Insertable<Tables['accepted_scope']>): Promise<void> {
  await trx
    .deleteFrom('accepted_scope')
    .where('cluster_id', '=', row.cluster_id)
    .where('format', '=', row.format)
    .execute()
  await trx.insertInto('accepted_scope').values(row).execute()
}

/** Called when two clusters are merged. */
export async function moveAcceptedScopes(trx: Db, fromClusterId: number, intoClusterId: number): Promise<void> {
  await trx
    .updateTable('accepted_scope')
    .set({ cluster_id: intoClusterId })
    .where('cluster_id', '=', fromClusterId)
    .execute()
}
