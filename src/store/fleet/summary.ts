import { type Insertable, type Selectable, sql } from 'kysely'
import { integers, jsonArray, jsonGroup } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { upsert } from '../../db/upsert.ts'
import type { Sealed } from '../../util/seal.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { type LatestOfSeries, listLatestOfAllSeries } from '../runs/latest-of-series.ts'
import { inventoryRunId } from '../runs/latest-run.ts'

export type ScannerSummary = Omit<Selectable<Tables['scanner_summary']>, 'cluster_id' | 'series_id'>
export type ClusterSummary = Omit<Selectable<Tables['cluster_summary']>, 'cluster_id'>

export interface OutdatedCluster {
  id: number
  ownerId: number
  /** Its runs are compared already, and only the catalog or the day is another one. */
  isCompared: boolean
}

/** What a current summary is based on. */
interface CurrentFacts {
  revision: string
  /** Since when findings are new. */
  since: UnixSeconds
  now: UnixSeconds
}

/** Clusters whose summary is missing or outdated; of one owner, or of all. */
export async function listOutdatedClusters(
  db: Db,
  { ownerId, limit, ...current }: CurrentFacts & { ownerId?: number | undefined; limit: number },
): Promise<OutdatedCluster[]> {
  let query = outdatedClusters(db, current).select(['cluster.id', 'cluster.owner_id as ownerId', 'summary.since'])
  if (ownerId !== undefined) query = query.where('cluster.owner_id', '=', ownerId)
  const rows = await query.orderBy('cluster.owner_id').orderBy('cluster.id').limit(limit).execute()
  return rows.map(({ id, ownerId, since }) => ({ id, ownerId, isCompared: since === current.since }))
}

/** Owners of clusters with an outdated summary, by id. */
export async function listOwnersOfOutdated(db: Db, current: CurrentFacts): Promise<number[]> {
  const query = outdatedClusters(db, current).select('cluster.owner_id as id').distinct()
  return (await query.orderBy('cluster.owner_id').execute()).map(({ id }) => id)
}

function outdatedClusters(db: Db, { revision, since, now }: CurrentFacts) {
  return db
    .selectFrom('cluster')
    .leftJoin('cluster_summary as summary', 'summary.cluster_id', 'cluster.id')
    .where(sql<boolean>`exists (select 1 from run where run.cluster_id = cluster.id)`)
    .where((eb) =>
      eb.or([
        eb('summary.cluster_id', 'is', null),
        eb('summary.catalog_revision', '!=', revision),
        eb('summary.valid_until', '<=', now),
        eb('summary.since', '!=', since),
      ]),
    )
}

/** Keyed by the cluster's row id, then by series. */
export async function findScannerSummaries(db: Db, clusterIds: number[]) {
  const rows = await db
    .selectFrom('scanner_summary')
    .selectAll()
    .where(sql<boolean>`cluster_id in ${integers(clusterIds)}`)
    .execute()
  const byCluster = Map.groupBy(rows, ({ cluster_id }) => cluster_id)
  return new Map([...byCluster].map(([id, own]) => [id, new Map(own.map((row) => [row.series_id, row]))]))
}

/** The runs that a summary is based on, by row id, and facts that reveal whether other runs were added or removed. */
export interface LatestOfCluster {
  clusterId: number
  /** The latest run of each series, by format. */
  scanners: LatestOfSeries[]
  /** Row id of the run with the inventory, see `inventoryRunId`. */
  inventoryRunId: number
  inventoryPublicId: string
  /** Provider in the run with the inventory. */
  provider: string | null
  /** Number of artifacts in the inventory. */
  artifacts: number
  runs: number
  newestRowId: number
}

/** Keyed by the cluster's row id; omits clusters without runs. */
export async function findLatestOfClusters(db: Db, clusterIds: number[]) {
  const { rows } = await sql<Omit<LatestOfCluster, 'scanners'>>`
    select cluster.id as "clusterId", inventory.id as "inventoryRunId",
      inventory.run_id as "inventoryPublicId", inventory.provider, inventory.images + inventory.helm_charts + inventory.apps as "artifacts",
      (select count(*) from run where run.cluster_id = cluster.id) as "runs",
      (select max(id) from run where run.cluster_id = cluster.id) as "newestRowId"
    from cluster
    join run as inventory on inventory.id = ${inventoryRunId(sql.ref('cluster.id'))}
    where cluster.id in ${integers(clusterIds)}`.execute(db)
  const scanners = await listLatestOfAllSeries(db, clusterIds)
  return new Map(rows.map((row) => [row.clusterId, { ...row, scanners: scanners.get(row.clusterId) ?? [] }]))
}

/** Replaces the earlier summary. */
export async function saveClusterSummary(trx: Db, row: Insertable<Tables['cluster_summary']>) {
  const { cluster_id, ...values } = row
  await upsert(trx, 'cluster_summary', { cluster_id }, values)
}

/** Replaces earlier summaries; removes those of series without runs. */
export async function saveScannerSummaries(trx: Db, clusterId: number, summaries: Map<number, ScannerSummary>) {
  await trx
    .deleteFrom('scanner_summary')
    .where('cluster_id', '=', clusterId)
    .where('series_id', 'not in', [...summaries.keys()])
    .execute()
  for (const [series_id, values] of summaries) {
    await upsert(trx, 'scanner_summary', { cluster_id: clusterId, series_id }, values)
  }
}

export interface ScorePoint {
  score: number | null
  at: number
  gaps_key: string
}

/** Scores of the last runs by series, oldest first. */
export async function listLastScores(db: Db, seriesIds: number[], count: number) {
  const { rows } = await sql<{ id: number; scores: string }>`
    select series.id, (
      select ${jsonGroup(jsonArray(sql`score, at, gaps_key`))} from (
        select score, at, gaps_key, run.id from run where series_id = series.id and is_candidate = 0
        order by at desc, run.id desc limit ${count}) as last) as scores
    from series where series.id in ${integers(seriesIds)}`.execute(db)
  const found = new Map(rows.map(({ id, scores }) => [id, toPoints(scores)]))
  return (seriesId: number) => found.get(seriesId) ?? []
}

function toPoints(scores: string): ScorePoint[] {
  const points = JSON.parse(scores) as [number | null, number, string][]
  return points.map(([score, at, gaps_key]) => ({ score, at, gaps_key })).reverse()
}

/** The sealed `running` part of a cluster's latest inventory; undefined if missing. */
export interface RunningPart {
  clusterId: number
  runId: string
  /** Time of the scan, in unix seconds. */
  at: number
  keyId: string
  sealed: Sealed
}

export async function listRunningParts(
  db: Db,
  { ownerId, clusterIds }: { ownerId: number; clusterIds?: number[] },
  part: number,
) {
  const { rows } = await sql<RunningPart>`
    select cluster.id as "clusterId", run.run_id as "runId", run.at as at, run_part.key_id as "keyId", run_part.sealed as sealed
    from cluster
    join cluster_summary as summary on summary.cluster_id = cluster.id
    join run on run.id = summary.inventory_run_id
    join run_part on run_part.run_id = run.id and run_part.kind = 'running' and run_part.part = ${part}
    where cluster.owner_id = ${ownerId}
      ${clusterIds ? sql`and cluster.id in ${integers(clusterIds)}` : sql``}`.execute(db)
  return rows
}
