import type { ReportFormat } from '../../contract/scan-finding.ts'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import type { ScanRecord } from '../../reports/run-record.ts'
import { scanColumns } from './columns.ts'

/** A run that was indexed by older rules. */
export interface OutdatedRun {
  id: number
  runId: string
  clusterId: number
  seriesId: number
  at: number
  format: ReportFormat
  identityVersion: number
}

/** Oldest first; of one cluster, or of all. */
export async function findOutdatedRuns(db: Db, version: number, clusterId?: number): Promise<OutdatedRun[]> {
  let query = db
    .selectFrom('run')
    .select([
      'id',
      'run_id as runId',
      'cluster_id as clusterId',
      'series_id as seriesId',
      'at',
      'format',
      'identity_version as identityVersion',
    ])
    .where('identity_version', '<', version)
  if (clusterId !== undefined) query = query.where('cluster_id', '=', clusterId)
  return query.orderBy('at').orderBy('id').execute()
}

export function isOutdated(db: Db, runRowId: number, version: number): Promise<boolean> {
  return hasRows(db.selectFrom('run').where('id', '=', runRowId).where('identity_version', '<', version))
}

/** Stores the result of indexing a run again. `distinct`: number of different findings by severity, worst first. */
export async function reidentifyRun(
  trx: Db,
  runRowId: number,
  scan: ScanRecord,
  { identityVersion, distinct }: { identityVersion: number; distinct: number[] },
): Promise<void> {
  const values = {
    ...scanColumns(scan),
    carried: null,
    identity_version: identityVersion,
    distinct_findings: JSON.stringify(distinct),
  }
  await trx.updateTable('run').set(values).where('id', '=', runRowId).execute()
}

/** Clusters with a run that was indexed by older rules. */
export async function listOutdatedClusters(db: Db, version: number): Promise<Set<number>> {
  return new Set((await clustersBefore(db, { version })).map(({ cluster_id }) => cluster_id))
}

const clustersBefore = builtOnce((db, { version }: { version: number }) =>
  db.selectFrom('run').select('cluster_id').distinct().where('identity_version', '<', version),
)
