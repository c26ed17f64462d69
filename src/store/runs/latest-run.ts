import { type RawBuilder, sql } from 'kysely'
import type { Run } from '../../contract/cluster-report.ts'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { selectPage } from '../../db/page.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { findingCounts } from './columns.ts'
import { newestFirst, newestOfSeries, runsFor, type StoredRun, toRunGate, toStoredRun } from './stored-run.ts'

/**
 * A run with the columns that finding queries need: reading whole rows of a thousand runs takes longer than most queries.
 */
export interface LatestRun extends Omit<StoredRun, 'run'> {
  run: Pick<
    Run,
    | 'run_id'
    | 'cluster_name'
    | 'environment'
    | 'format'
    | 'source_version'
    | 'score'
    | 'is_empty'
    | 'findings'
    | 'not_run_checks'
    | 'suppressed_findings'
    | 'gate'
  >
}

/** The latest run of a known scanner, if there is one. */
export async function findLatestRun(db: Db, clusterId: number): Promise<StoredRun | undefined> {
  const newest = newestOfState(db, clusterId).limit(1)
  const row =
    (await newest.where('run.format', '!=', 'unknown').executeTakeFirst()) ?? (await newest.executeTakeFirst())
  return row && toStoredRun(row)
}

/** Runs of a cluster's state, newest first. */
function newestOfState(db: Db, clusterId: number) {
  const live = db.selectFrom('series').select('id').where('cluster_id', '=', clusterId).where('ended_at', 'is', null)
  return newestFirst(db, [clusterId]).where('run.is_candidate', '=', 0).where('run.series_id', 'in', live)
}

/** The run with the inventory of a cluster. */
export async function findInventoryRun(db: Db, clusterId: number): Promise<StoredRun | undefined> {
  const id = inventoryRunId(sql`${clusterId}`)
  const row = await newestFirst(db, [clusterId]).where(sql<boolean>`run.id = ${id}`).executeTakeFirst()
  return row && toStoredRun(row)
}

/** The latest run of a scanner in a cluster, about any subject. */
export async function findLatestOfScanner(
  db: Db,
  clusterId: number,
  format: ReportFormat,
): Promise<StoredRun | undefined> {
  const row = await newestOfState(db, clusterId).where('run.format', '=', format).limit(1).executeTakeFirst()
  return row && toStoredRun(row)
}

export async function findLatestOfSeries(db: Db, seriesId: number): Promise<StoredRun | undefined> {
  const row = await newestOfSeries(db, seriesId).limit(1).executeTakeFirst()
  return row && toStoredRun(row)
}

/** A run with the columns that inventory queries need: reading whole rows of a thousand runs takes longer than the rest. */
export interface InventoryRun extends Pick<StoredRun, 'id' | 'at'> {
  run: Pick<Run, 'run_id' | 'cluster_name' | 'environment'>
  /** Number of images, charts and apps. */
  artifacts: number
}

/**
 * Row id of a cluster's run with the inventory, or of its latest run. Of the latest inventory of each series about the cluster
 * itself, it is the newest with at least half as many artifacts as the largest.
 */
export function inventoryRunId(clusterId: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    select own.id from (
      select (select run.id from run where run.series_id = series.id and run.is_candidate = 0
        order by run.images + run.helm_charts + run.apps > 0 desc, run.at desc, run.id desc limit 1) as id,
        series.kind
      from series where series.cluster_id = ${clusterId} and series.ended_at is null) as latest
    join run as own on own.id = latest.id
    order by latest.kind = 'cluster' and own.images + own.helm_charts + own.apps > 0 desc,
      (own.images + own.helm_charts + own.apps) * 2
        >= max(own.images + own.helm_charts + own.apps) over (partition by latest.kind = 'cluster') desc,
      own.at desc, own.id desc limit 1)`
}

/** The run with the inventory of each of the owner's clusters; omits clusters without one. */
export async function listLatestRuns(db: Db, ownerId: number): Promise<InventoryRun[]> {
  const rows = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .select(['run.id', 'run.at', 'run.run_id', 'cluster.name', 'cluster.environment'])
    .select(sql<number>`run.images + run.helm_charts + run.apps`.as('artifacts'))
    .where('cluster.owner_id', '=', ownerId)
    .where(sql<boolean>`run.id = ${inventoryRunId(sql.ref('cluster.id'))}`)
    .orderBy('cluster.name')
    .orderBy('cluster.environment')
    .execute()
  return rows.map(({ id, at, artifacts, run_id, name, environment }) => ({
    id,
    at,
    artifacts,
    run: { run_id, cluster_name: name, environment },
  }))
}

/** Clusters of an owner by name and environment, or by row id. */
interface ClusterChoice {
  ownerId?: number
  ids?: number[]
  name?: string | undefined
  environment?: string | undefined
}

/** The latest run of each series of each cluster, by cluster, environment and scanner. */
export async function listLatestRunsOfAllSeries(
  db: Db,
  clusters: ClusterChoice & { ownerId: number },
  choice: PageChoice,
): Promise<Page<Run>> {
  const ids = await findLatestOfAllSeries(db, clusters)
  const query = runsFor(db, clusters.ownerId)
    .where(sql<boolean>`run.id in ${integers(ids)}`)
    .orderBy('cluster.name')
    .orderBy('cluster.environment')
    .orderBy('run.format')
    .orderBy('run.series_id')
  return selectPage(
    query,
    choice,
    (row) => toStoredRun(row).run,
    async () => ids.length,
  )
}

/** Row ids, unordered; without the run of an unknown scanner if one of a known scanner is newer. */
export async function findLatestOfAllSeries(
  db: Db,
  { ownerId, ids: clusterIds, name, environment }: ClusterChoice,
): Promise<number[]> {
  let clusters = db.selectFrom('cluster').select('id')
  if (ownerId !== undefined) clusters = clusters.where('owner_id', '=', ownerId)
  if (clusterIds) clusters = clusters.where(sql<boolean>`id in ${integers(clusterIds)}`)
  if (name !== undefined) clusters = clusters.where('name', '=', name)
  if (environment !== undefined) clusters = clusters.where('environment', '=', environment)
  // One index seek per series: older runs are not read.
  const { rows: latest } = await sql<{ id: number }>`
    select id from (
      select (select id from run where run.series_id = series.id and is_candidate = 0
        order by at desc, id desc limit 1) as id, series.format
      from (${clusters}) as chosen join series on series.cluster_id = chosen.id and series.ended_at is null) as latest
    where id is not null and (format <> 'unknown' or not exists (
      select 1 from run as own join run as later on later.cluster_id = own.cluster_id and later.format <> 'unknown'
        and later.is_candidate = 0
      where own.id = latest.id and (later.at, later.id) > (own.at, own.id)))`.execute(db)
  return latest.map(({ id }) => id)
}

/** Like `findLatestOfAllSeries`, with the columns that finding queries need. */
export async function listLatestOfAllSeries(db: Db, choice: ClusterChoice): Promise<LatestRun[]> {
  const ids = await findLatestOfAllSeries(db, choice)
  const rows = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .select([
      'run.id',
      'run.cluster_id as clusterId',
      'run.series_id as seriesId',
      'run.at',
      'run.distinct_findings',
      'run.revision',
      'run.carried',
      'run.findings_total',
    ])
    .select(['run.run_id', 'cluster.name as cluster_name', 'cluster.environment', 'run.format', 'run.source_version'])
    .select(['run.score', 'run.is_empty', 'run.not_run_checks', 'run.suppressed_findings'])
    .select(['run.findings_critical', 'run.findings_high', 'run.findings_medium', 'run.findings_low'])
    .select(['run.findings_info', 'run.findings_unknown'])
    .select(['run.gate_verdict', 'run.gate_at', 'run.gate_let_pass', 'run.gate_exceptions_end'])
    .where(sql<boolean>`run.id in ${integers(ids)}`)
    .orderBy('cluster.name')
    .orderBy('cluster.environment')
    .orderBy('run.format')
    .orderBy('run.series_id')
    .execute()
  return rows.map(({ id, clusterId, seriesId, at, revision, carried, distinct_findings, ...row }) => ({
    id,
    clusterId,
    seriesId,
    at,
    revision,
    ...(carried !== null && { carried: JSON.parse(carried) }),
    distinct: JSON.parse(distinct_findings),
    run: { ...row, is_empty: row.is_empty === 1, findings: findingCounts(row), gate: toRunGate(row) },
  }))
}
