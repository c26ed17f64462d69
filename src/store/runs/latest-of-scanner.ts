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
    .select(['id', 'run_id', 'cluster_id', 'format', 'at', 'kubernetes_version', 'provider'])
    .where(sql<boolean>`id in ${integers(ids)}`)
    .orderBy('format')
    .execute()
  const byCluster = Map.groupBy(rows, ({ cluster_id }) => cluster_id)
  return new Map(
    [...byCluster].map(([id, own]) => [
      id,
      own.map(({ id: runId, run_id: publicId, kubernetes_version: kubernetesVersion, format, at, provider }) => ({
        ...{ format, runId, publicId, at, kubernetesVersion, provider },
      })),
    ]),
  )
}
