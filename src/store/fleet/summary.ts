import { type Insertable, type Selectable, sql } from 'kysely'
import type { GateVerdict } from '../../contract/gate-verdict.ts'
import type { FindingCounts, ReportFormat } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import type { ClusterSummaryTable } from '../../db/tables/cluster-summary.ts'
import { integers, jsonArray, jsonGroup, jsonRows, jsonTexts } from '../../db/words.ts'
import { findCatalogRevision } from '../catalog/revision.ts'
import { findingCounts } from '../runs/columns.ts'

export type ClusterSummary = Omit<Selectable<ClusterSummaryTable>, 'cluster_id'>

/** A cluster with its latest run and what is stored about it. Times are unix seconds. */
export interface ClusterFigures {
  id: number
  publicId: string
  name: string
  environment: string
  labels: string[]
  expectedEvery: number | null
  latest: LatestRunFigures | undefined
  /** Undefined: not made since the latest run came. */
  summary: ClusterSummary | undefined
  /** The summary is of the present catalog. */
  isCurrent: boolean
}

export interface LatestRunFigures {
  rowId: number
  runId: string
  at: number
  format: ReportFormat
  score: number | null
  provider: string | null
  region: string | null
  kubernetesVersion: string | null
  totalChecks: number
  failedChecks: number
  notRunChecks: number
  isEmpty: boolean
  findings: FindingCounts
  gateVerdict: GateVerdict | null
  gateAt: number | null
}

interface FigureFilter {
  ownerId: number
  publicId?: string | undefined
  name?: string | undefined
  environment?: string | undefined
  label?: string | undefined
}

/** By name and environment. One query, whose cost grows with the clusters and not with their runs. */
export async function listClusterFigures(
  db: Db,
  { ownerId, publicId, name, environment, label }: FigureFilter,
  now: number,
): Promise<ClusterFigures[]> {
  const revision = await findCatalogRevision(db)
  let query = db
    .selectFrom('cluster')
    .leftJoin('cluster_summary as summary', 'summary.cluster_id', 'cluster.id')
    .leftJoin('run', (join) =>
      join.on(
        sql<boolean>`run.id = coalesce(summary.run_id, (select latest.id from run as latest
          where latest.cluster_id = cluster.id order by latest.at desc, latest.id desc limit 1))`,
      ),
    )
    .select(['cluster.id as clusterId', 'cluster.public_id', 'cluster.name', 'cluster.environment', 'cluster.labels'])
    .select(['cluster.expected_every', 'run.id as runRowId', 'run.run_id as runPublicId', 'run.at', 'run.format'])
    .select(['run.score', 'run.provider', 'run.region', 'run.kubernetes_version', 'run.total_checks'])
    .select(['run.failed_checks', 'run.not_run_checks', 'run.is_empty', 'run.gate_verdict', 'run.gate_at'])
    .select(['run.findings_total', 'run.findings_critical', 'run.findings_high', 'run.findings_medium'])
    .select(['run.findings_low', 'run.findings_info', 'run.findings_unknown'])
    .selectAll('summary')
    .where('cluster.owner_id', '=', ownerId)
  if (publicId !== undefined) query = query.where('cluster.public_id', '=', publicId)
  if (name !== undefined) query = query.where('cluster.name', '=', name)
  if (environment !== undefined) query = query.where('cluster.environment', '=', environment)
  if (label !== undefined) {
    query = query.where(
      sql<boolean>`exists (select 1 from ${jsonTexts(sql`cluster.labels`, 'label')} where label.value = ${label})`,
    )
  }
  const rows = await query.orderBy('cluster.name').orderBy('cluster.environment').execute()
  return rows.map((row) => ({
    id: row.clusterId,
    publicId: row.public_id,
    name: row.name,
    environment: row.environment,
    labels: row.labels === '[]' ? [] : JSON.parse(row.labels),
    expectedEvery: row.expected_every,
    latest: row.runRowId === null ? undefined : toLatest(row as LatestRow),
    summary: row.run_id === null ? undefined : (row as ClusterSummary),
    isCurrent:
      row.run_id === null ? row.runRowId === null : row.catalog_revision === revision && row.valid_until! > now,
  }))
}

interface LatestRow {
  runRowId: number
  runPublicId: string
  at: number
  format: ReportFormat
  score: number | null
  provider: string | null
  region: string | null
  kubernetes_version: string | null
  total_checks: number
  failed_checks: number
  not_run_checks: number
  is_empty: number
  gate_verdict: GateVerdict | null
  gate_at: number | null
  findings_total: number
  findings_critical: number
  findings_high: number
  findings_medium: number
  findings_low: number
  findings_info: number
  findings_unknown: number
}

function toLatest(row: LatestRow): LatestRunFigures {
  return {
    rowId: row.runRowId,
    runId: row.runPublicId,
    at: row.at,
    format: row.format,
    score: row.score,
    provider: row.provider,
    region: row.region,
    kubernetesVersion: row.kubernetes_version,
    totalChecks: row.total_checks,
    failedChecks: row.failed_checks,
    notRunChecks: row.not_run_checks,
    isEmpty: row.is_empty === 1,
    findings: findingCounts(row),
    gateVerdict: row.gate_verdict,
    gateAt: row.gate_at,
  }
}

export interface OutdatedCluster {
  id: number
  ownerId: number
  /** It has a summary, of another catalog. */
  hasSummary: boolean
}

/** Clusters with runs whose summary is missing, or of another catalog; of one owner, or of all. */
export async function listOutdatedClusters(
  db: Db,
  { ownerId, revision, now, limit }: { ownerId?: number | undefined; revision: string; now: number; limit: number },
): Promise<OutdatedCluster[]> {
  let query = outdatedClusters(db, revision, now).select([
    'cluster.id',
    'cluster.owner_id as ownerId',
    'summary.run_id',
  ])
  if (ownerId !== undefined) query = query.where('cluster.owner_id', '=', ownerId)
  const rows = await query.orderBy('cluster.owner_id').orderBy('cluster.id').limit(limit).execute()
  return rows.map(({ id, ownerId, run_id }) => ({ id, ownerId, hasSummary: run_id !== null }))
}

/** Owners of such clusters, by id. */
export async function listOwnersOfOutdated(
  db: Db,
  { revision, now }: { revision: string; now: number },
): Promise<number[]> {
  const query = outdatedClusters(db, revision, now).select('cluster.owner_id as id').distinct()
  return (await query.orderBy('cluster.owner_id').execute()).map(({ id }) => id)
}

function outdatedClusters(db: Db, revision: string, now: number) {
  return db
    .selectFrom('cluster')
    .leftJoin('cluster_summary as summary', 'summary.cluster_id', 'cluster.id')
    .where(sql<boolean>`exists (select 1 from run where run.cluster_id = cluster.id)`)
    .where((eb) =>
      eb.or([
        eb('summary.run_id', 'is', null),
        eb('summary.catalog_revision', '!=', revision),
        eb('summary.valid_until', '<=', now),
      ]),
    )
}

/** By the cluster's row id. */
export async function findClusterSummaries(db: Db, clusterIds: number[]): Promise<Map<number, ClusterSummary>> {
  const rows = await db
    .selectFrom('cluster_summary')
    .selectAll()
    .where(sql<boolean>`cluster_id in ${integers(clusterIds)}`)
    .execute()
  return new Map(rows.map((row) => [row.cluster_id, row]))
}

/** The runs that a summary is made of, by row ids, and enough of the others to see whether any came or went. */
export interface LatestOfCluster {
  clusterId: number
  runId: number
  /** The latest run with an inventory, else the latest of all; not every scanner has one. */
  inventoryRunId: number
  inventoryPublicId: string
  /** Number of artifacts in the inventory. */
  artifacts: number
  runs: number
  newestRowId: number
}

/** By the cluster's row id; clusters without a run are left out. */
export async function findLatestOfClusters(db: Db, clusterIds: number[]): Promise<Map<number, LatestOfCluster>> {
  const { rows } = await sql<LatestOfCluster>`
    select latest.cluster_id as "clusterId", latest.id as "runId", inventory.id as "inventoryRunId",
      inventory.run_id as "inventoryPublicId", inventory.images + inventory.helm_charts + inventory.apps as "artifacts",
      (select count(*) from run where run.cluster_id = latest.cluster_id) as "runs",
      (select max(id) from run where run.cluster_id = latest.cluster_id) as "newestRowId"
    from cluster
    join run as latest on latest.id = (select id from run where run.cluster_id = cluster.id
      order by at desc, id desc limit 1)
    join run as inventory on inventory.id = (select id from run where run.cluster_id = cluster.id
      order by images + helm_charts + apps > 0 desc, at desc, id desc limit 1)
    where cluster.id in ${integers(clusterIds)}`.execute(db)
  return new Map(rows.map((row) => [row.clusterId, row]))
}

/** In place of an earlier one. */
export async function saveClusterSummary(trx: Db, row: Insertable<ClusterSummaryTable>): Promise<void> {
  const { cluster_id: _, ...values } = row
  await trx
    .insertInto('cluster_summary')
    .values(row)
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(values))
    .execute()
}

export interface ScorePoint {
  score: number | null
  at: number
}

/** Scores of the last runs of each cluster, by the scanner of its latest run, oldest first. */
export async function listLastScores(
  db: Db,
  clusters: { id: number; format: ReportFormat }[],
  count: number,
): Promise<Map<number, ScorePoint[]>> {
  if (clusters.length === 0) return new Map()
  const wanted = JSON.stringify(clusters.map(({ id, format }) => [id, format]))
  const { rows } = await sql<{ id: number; scores: string }>`
    select cast(wanted.value->>0 as bigint) as id, (select ${jsonGroup(jsonArray(sql`score, at`))} from (
      select score, at, run.id from run
      where cluster_id = cast(wanted.value->>0 as bigint) and format = wanted.value->>1
      order by at desc, run.id desc limit ${count}) as last) as scores
    from ${jsonRows(wanted, 'wanted')}`.execute(db)
  return new Map(
    rows.map(({ id, scores }) => {
      const points = JSON.parse(scores) as [number | null, number][]
      return [id, points.map(([score, at]) => ({ score, at })).reverse()]
    }),
  )
}

/** The `running` parts of the clusters' latest inventories, sealed; one that is missing has none. */
export interface RunningPart {
  clusterId: number
  runId: string
  /** Time of the scan. */
  at: number
  keyId: string
  sealed: Uint8Array
}

export async function listRunningParts(
  db: Db,
  { ownerId, clusterIds }: { ownerId: number; clusterIds?: number[] },
  part: number,
): Promise<RunningPart[]> {
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
