import { sql } from 'kysely'
import type { Run, TrendPoint } from '../../contract/cluster-report.ts'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import { integers, withoutIndex } from '../../db/dialect.ts'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { countRows, selectPage } from '../../db/page.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { LatestRun } from './latest-run.ts'
import { newestFirst, newestOfSeries, type StoredRun, selectRuns, toStoredRun } from './stored-run.ts'

/** Runs of all these clusters, newest first; `until`, in unix seconds, excludes later scans. */
export function listRuns(
  db: Db,
  clusterIds: number[],
  choice: PageChoice,
  until = Number.MAX_SAFE_INTEGER,
): Promise<Page<Run>> {
  return selectPage(
    newestFirst(db, clusterIds).where('run.at', '<=', until),
    choice,
    (row) => toStoredRun(row).run,
    () => countRows(db.selectFrom('run').where('cluster_id', 'in', clusterIds).where('at', '<=', until)),
  )
}

/** Runs whose id starts with a prefix, newest first; of one cluster or environment, or of all. */
export function listRunsByPrefix(
  db: Db,
  ownerId: number,
  { prefix, name, environment }: { prefix: string; name?: string | undefined; environment?: string | undefined },
  choice: PageChoice,
): Promise<Page<Run>> {
  let query = selectRuns(db)
    .where('run.run_id', '>=', prefix)
    // Tilde sorts after every character of an id.
    .where('run.run_id', '<', `${prefix}~`)
    // The plus makes SQLite read the range of ids instead of all runs of the owner.
    .where(sql<boolean>`${withoutIndex(sql`cluster.owner_id`)} = ${ownerId}`)
  if (name !== undefined) query = query.where(sql<boolean>`${withoutIndex(sql`cluster.name`)} = ${name}`)
  if (environment !== undefined)
    query = query.where(sql<boolean>`${withoutIndex(sql`cluster.environment`)} = ${environment}`)
  const ordered = query.orderBy('run.at', 'desc').orderBy('run.id', 'desc')
  return selectPage(ordered, choice, (row) => toStoredRun(row).run)
}

/** Runs of a cluster, newest first. */
export async function listRunsOfCluster(db: Db, clusterId: number, limit: number): Promise<StoredRun[]> {
  const rows = await newestFirst(db, [clusterId]).limit(limit).execute()
  return rows.map(toStoredRun)
}

/** Runs of a series with its candidates, newest first. */
export async function listRunsOfSeries(db: Db, seriesId: number, limit: number): Promise<StoredRun[]> {
  const query = selectRuns(db).where('run.series_id', '=', seriesId).orderBy('run.at', 'desc').orderBy('run.id', 'desc')
  return (await query.limit(limit).execute()).map(toStoredRun)
}

/** The series of a cluster's images. */
export function listImageSeries(db: Db, clusterId: number): Promise<{ id: number; ended_at: number | null }[]> {
  const ofCluster = db.selectFrom('series').select(['id', 'ended_at']).where('cluster_id', '=', clusterId)
  return ofCluster.where('kind', '=', 'image').orderBy('id').execute()
}

/** The previous run of the same series. */
export async function findRunBefore(db: Db, { id, seriesId, at }: LatestRun): Promise<StoredRun | undefined> {
  const [row] = await runBefore(db, { id, seriesId, at })
  return row && toStoredRun(row)
}

const runBefore = builtOnce((db, { id, seriesId, at }: Pick<LatestRun, 'id' | 'seriesId' | 'at'>) =>
  newestOfSeries(db, seriesId).where(sql<boolean>`(run.at, run.id) < (${at}, ${id})`).limit(1),
)

/** Row ids of those runs that are later than a time in unix seconds, and whose series has no run until then. */
export async function listRunsWithoutEarlier(db: Db, ids: readonly number[], since: number): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from run where id in ${integers(ids)} and at > ${since} and not exists (
      select 1 from run as earlier
      where earlier.series_id = run.series_id and earlier.is_candidate = 0 and earlier.at <= ${since})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The next run of the same series. */
export async function findRunAfter(db: Db, { id, seriesId, at }: LatestRun): Promise<StoredRun | undefined> {
  const row = await selectRuns(db)
    .where('run.series_id', '=', seriesId)
    .where('run.is_candidate', '=', 0)
    .where(sql<boolean>`(run.at, run.id) > (${at}, ${id})`)
    .orderBy('run.at')
    .orderBy('run.id')
    .limit(1)
    .executeTakeFirst()
  return row && toStoredRun(row)
}

/** Trend points of a series, oldest first. */
export interface SeriesPoints {
  format: ReportFormat
  /** Its latest run. */
  latest: { rowId: number; runId: string }
  points: TrendPoint[]
}

/**
 * Grouped by series, that of the latest run first, because scores of different scanners and subjects are not comparable. `since` in unix
 * seconds.
 */
export async function listTrendPoints(db: Db, clusterId: number, since: number): Promise<SeriesPoints[]> {
  const rows = await db
    .selectFrom('run')
    .select(['id', 'run_id', 'at', 'format', 'series_id', 'score', 'failed_checks', 'not_run_checks', 'findings_total'])
    .select(['scope_gaps', 'gaps_key'])
    .where('cluster_id', '=', clusterId)
    .where('is_candidate', '=', 0)
    .where('at', '>=', since)
    .orderBy(sql`format <> 'unknown'`)
    .orderBy('at')
    .orderBy('id')
    .execute()
  const bySeries = Map.groupBy(rows.toReversed(), ({ series_id }) => series_id)
  return [...bySeries.values()].map((own) => ({
    format: own[0]!.format,
    latest: { rowId: own[0]!.id, runId: own[0]!.run_id },
    points: own.reverse().map((row) => ({
      run_id: row.run_id,
      at: formatTimestamp(row.at),
      score: row.score,
      failed_checks: row.failed_checks,
      not_run_checks: row.not_run_checks,
      scope_gaps: row.scope_gaps,
      gaps_key: row.gaps_key,
      findings: row.findings_total,
    })),
  }))
}

/** Ids of the runs of a series from one to another, without those that are judged only. */
export async function listRowsBetween(
  db: Db,
  from: Pick<LatestRun, 'id' | 'seriesId' | 'at'>,
  to: Pick<LatestRun, 'id' | 'at'>,
): Promise<{ id: number; runId: string }[]> {
  return db
    .selectFrom('run')
    .select(['id', 'run_id as runId'])
    .where('series_id', '=', from.seriesId)
    .where('is_candidate', '=', 0)
    .where(sql<boolean>`(at, id) >= (${from.at}, ${from.id})`)
    .where(sql<boolean>`(at, id) <= (${to.at}, ${to.id})`)
    .execute()
}
