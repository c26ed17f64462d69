import type { Updateable } from 'kysely'
import type { ReportFormat } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import type { RunTable } from '../db/tables/run.ts'

/** A run whose findings are identified by older rules. */
export interface OutdatedRun {
  id: number
  runId: string
  clusterId: number
  at: number
  format: ReportFormat
}

/** Oldest first; of one cluster, or of all. */
export async function findOutdatedRuns(db: Db, version: number, clusterId?: number): Promise<OutdatedRun[]> {
  let query = db
    .selectFrom('run')
    .select(['id', 'run_id as runId', 'cluster_id as clusterId', 'at', 'format'])
    .where('identity_version', '<', version)
  if (clusterId !== undefined) query = query.where('cluster_id', '=', clusterId)
  return query.orderBy('at').orderBy('id').execute()
}

export async function isOutdated(db: Db, runRowId: number, version: number): Promise<boolean> {
  const row = await db.selectFrom('run').select('identity_version').where('id', '=', runRowId).executeTakeFirst()
  return row !== undefined && row.identity_version < version
}

export async function updateRun(trx: Db, runRowId: number, values: Updateable<RunTable>): Promise<void> {
  await trx.updateTable('run').set(values).where('id', '=', runRowId).execute()
}
