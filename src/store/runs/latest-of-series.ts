import { sql } from 'kysely'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { findLatestOfAllSeries } from './latest-run.ts'

export interface LatestOfSeries {
  seriesId: number
  format: ReportFormat
  runId: number
  publicId: string
  /** Unix seconds. */
  at: number
  kubernetesVersion: string | null
  provider: string | null
}

/** Keyed by the cluster's row id. */
export async function listLatestOfAllSeries(db: Db, clusterIds: number[]): Promise<Map<number, LatestOfSeries[]>> {
  const ids = await findLatestOfAllSeries(db, { ids: clusterIds })
  const rows = await db
    .selectFrom('run')
    .select(['id as runId', 'run_id as publicId', 'cluster_id as clusterId', 'series_id as seriesId', 'format', 'at'])
    .select(['kubernetes_version as kubernetesVersion', 'provider'])
    .where(sql<boolean>`id in ${integers(ids)}`)
    .orderBy('format')
    .orderBy('series_id')
    .execute()
  return Map.groupBy(rows, ({ clusterId }) => clusterId)
}
