import { sql } from 'kysely'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { findLatestOfScanners } from './latest-run.ts'

export interface LatestOfScanner {
  format: ReportFormat
  runId: number
  publicId: string
  /** Unix seconds. */
  at: number
  kubernetesVersion: string | null
  provider: string | null
}

/** Keyed by the cluster's row id. */
export async function listLatestOfScanners(db: Db, clusterIds: number[]): Promise<Map<number, LatestOfScanner[]>> {
  const ids = await findLatestOfScanners(db, { ids: clusterIds })
  const rows = await db
    .selectFrom('run')
    .select(['id as runId', 'run_id as publicId', 'cluster_id as clusterId', 'format', 'at'])
    .select(['kubernetes_version as kubernetesVersion', 'provider'])
    .where(sql<boolean>`id in ${integers(ids)}`)
    .orderBy('format')
    .execute()
  return Map.groupBy(rows, ({ clusterId }) => clusterId)
}
