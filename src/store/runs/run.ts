import { type ExpressionBuilder, type Insertable, type RawBuilder, sql } from 'kysely'
import { reportFormats } from '../../contract/choices.ts'
import type { Run, TrendPoint } from '../../contract/cluster-report.ts'
import type { GateLimits, GateVerdict, RunGate } from '../../contract/gate-verdict.ts'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import { integers, lesser, rowLock, textRows, texts, withoutIndex } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import { type RunRecord, toRun } from '../../reports/run-record.ts'
import { type Page, type PageChoice, pageOf } from '../../util/page.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import { isForgettable } from './cluster.ts'
import { findingCounts, type RunRow, readRunRow, runColumns } from './columns.ts'

/** A run with what places it in its cluster's line of runs. */
export interface StoredRun {
  id: number
  clusterId: number
  /** Unix seconds; orders the runs of a cluster, then `id` does. */
  at: number
  /** Different findings of each severity, the worst first. */
  distinct: number[]
  run: Run
}

/** A run as questions about findings need it: of a thousand runs, reading whole rows takes longer than most of these. */
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
  >
}

type NewRun = Pick<
  Insertable<Tables['run']>,
  | 'run_id'
  | 'cluster_id'
  | 'at'
  | 'content_hash'
  | 'idempotency_key'
  | 'identity_version'
  | 'distinct_findings'
  | 'scope_gaps'
  | 'gaps_key'
> & { record: RunRecord }

/** Returns the row id. */
export async function insertRun(trx: Db, { record, ...run }: NewRun): Promise<number> {
  const row = { ...run, ...runColumns(record) }
  const { id } = await trx.insertInto('run').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export interface UploadIdentity {
  contentHash: Uint8Array
  idempotencyKey: string | undefined
  /** The report itself says when it was made: the same content is the same scan. */
  hasOwnTime: boolean
  /** Unix seconds, by the envelope; null when it does not say when the scan was. */
  scannedAt: number | null
}

/** A client without keys that tries again does so within this time. */
const retrySeconds = 900

/**
 * The run that an upload repeats: the one of the same key, else one of the same content and the same time of its scan.
 * Without such a time each upload is a scan of its own, unless it comes without a key right behind the same content.
 */
export async function findDuplicate(
  db: Db,
  cluster: { ownerId: number; name: string; environment: string },
  { contentHash, idempotencyKey, hasOwnTime, scannedAt }: UploadIdentity,
  now: number,
): Promise<StoredRun | undefined> {
  const ofCluster = runsOf(db, cluster.ownerId)
    .where('cluster.name', '=', cluster.name)
    .where('cluster.environment', '=', cluster.environment)
  if (idempotencyKey !== undefined) {
    const row = await ofCluster.where('idempotency_key', '=', idempotencyKey).executeTakeFirst()
    if (row) return toStoredRun(row)
  }
  const same = ofCluster.where('content_hash', '=', contentHash)
  if (hasOwnTime || scannedAt !== null) {
    const row = await (hasOwnTime ? same : same.where(sql<boolean>`coalesce(finished_at, started_at) = ${scannedAt}`))
      .orderBy('run.id')
      .executeTakeFirst()
    return row && toStoredRun(row)
  }
  if (idempotencyKey !== undefined) return undefined
  const latest = await ofCluster.orderBy('run.at', 'desc').orderBy('run.id', 'desc').limit(1).executeTakeFirst()
  const isRetry =
    latest && latest.ingested_at >= now - retrySeconds && latest.finished_at === null && latest.started_at === null
  return isRetry && Buffer.from(latest.content_hash).equals(contentHash) ? toStoredRun(latest) : undefined
}

export async function getRun(db: Db, ownerId: number, runId: string): Promise<StoredRun> {
  const row = await runsOf(db, ownerId).where('run.run_id', '=', runId).executeTakeFirst()
  if (!row) throw notFound('run', runId)
  return toStoredRun(row)
}

/** Locks runs against being read again or removed; returns the row ids of those that exist. */
export async function lockRuns(trx: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from run where id in ${integers(ids)} order by id ${rowLock()}`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function findRowIds(db: Db, runIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('run')
    .select(['id', 'run_id'])
    .where(sql<boolean>`run_id in ${texts(runIds)}`)
    .execute()
  return new Map(rows.map(({ id, run_id }) => [run_id, id]))
}

/** Runs of all these clusters, newest first; `until`, in unix seconds, leaves out later scans. */
export async function listRuns(
  db: Db,
  clusterIds: number[],
  choice: PageChoice,
  until = Number.MAX_SAFE_INTEGER,
): Promise<Page<Run>> {
  const rows = await newestFirst(db, clusterIds)
    .where('run.at', '<=', until)
    .limit(choice.perPage)
    .offset((choice.page - 1) * choice.perPage)
    .execute()
  return pageOf(
    rows.map((row) => toStoredRun(row).run),
    choice,
    () =>
      db
        .selectFrom('run')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('cluster_id', 'in', clusterIds)
        .where('at', '<=', until)
        .executeTakeFirstOrThrow(),
  )
}

/** Runs whose id begins with a prefix, newest first; of one cluster or environment, or of all. */
export async function listRunsByPrefix(
  db: Db,
  ownerId: number,
  { prefix, name, environment }: { prefix: string; name?: string | undefined; environment?: string | undefined },
  choice: PageChoice,
): Promise<Page<Run>> {
  let query = db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .where('run.run_id', '>=', prefix)
    // No character of an id comes after a tilde.
    .where('run.run_id', '<', `${prefix}~`)
    // The plus keeps SQLite from reading all runs of the owner instead of the range of ids.
    .where(sql<boolean>`${withoutIndex(sql`cluster.owner_id`)} = ${ownerId}`)
  if (name !== undefined) query = query.where(sql<boolean>`${withoutIndex(sql`cluster.name`)} = ${name}`)
  if (environment !== undefined)
    query = query.where(sql<boolean>`${withoutIndex(sql`cluster.environment`)} = ${environment}`)
  const rows = await query
    .selectAll('run')
    .select(['cluster.name', 'cluster.environment'])
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')
    .limit(choice.perPage)
    .offset((choice.page - 1) * choice.perPage)
    .execute()
  return pageOf(
    rows.map((row) => toStoredRun(row).run),
    choice,
    () => query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  )
}

export async function findLatestRun(db: Db, clusterId: number): Promise<StoredRun | undefined> {
  const row = await newestFirst(db, [clusterId]).limit(1).executeTakeFirst()
  return row && toStoredRun(row)
}

/** The run with the inventory of a cluster. */
export async function findInventoryRun(db: Db, clusterId: number): Promise<StoredRun | undefined> {
  const id = inventoryOf(sql`${clusterId}`)
  const row = await newestFirst(db, [clusterId]).where(sql<boolean>`run.id = ${id}`).executeTakeFirst()
  return row && toStoredRun(row)
}

/** The latest run of a scanner in a cluster. */
export async function findLatestOfScanner(
  db: Db,
  clusterId: number,
  format: ReportFormat,
): Promise<StoredRun | undefined> {
  const row = await newestFirst(db, [clusterId]).where('run.format', '=', format).limit(1).executeTakeFirst()
  return row && toStoredRun(row)
}

/** A run as questions about its inventory need it: of a thousand runs, reading whole rows takes longer than the rest. */
export interface InventoryRun extends Pick<StoredRun, 'id' | 'at'> {
  run: Pick<Run, 'run_id' | 'cluster_name' | 'environment'>
  /** Images, charts and apps. */
  artifacts: number
  /** The rules by which its report was read: what is stored of its artifacts changes only with these. */
  identityVersion: number
}

/**
 * Row id of the run that lists what runs in a cluster, or of its latest run. Of the latest inventories of each scanner, it is the newest
 * with at least half of the artifacts that the largest has: a scan of an image does not hide what else runs.
 */
export function inventoryOf(clusterId: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    select own.id from (
      select (select run.id from run where run.cluster_id = ${clusterId} and run.format = format.value
        order by run.images + run.helm_charts + run.apps > 0 desc, run.at desc, run.id desc limit 1) as id
      from ${textRows(reportFormats, 'format')}) as latest
    join run as own on own.id = latest.id
    order by (own.images + own.helm_charts + own.apps) * 2 >= max(own.images + own.helm_charts + own.apps) over () desc,
      own.at desc, own.id desc limit 1)`
}

/** The run with the inventory of each of the owner's clusters; not every scanner has one. */
export async function listLatestRuns(db: Db, ownerId: number): Promise<InventoryRun[]> {
  const rows = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .select(['run.id', 'run.at', 'run.run_id', 'run.identity_version', 'cluster.name', 'cluster.environment'])
    .select(sql<number>`run.images + run.helm_charts + run.apps`.as('artifacts'))
    .where('cluster.owner_id', '=', ownerId)
    .where(sql<boolean>`run.id = ${inventoryOf(sql.ref('cluster.id'))}`)
    .orderBy('cluster.name')
    .orderBy('cluster.environment')
    .execute()
  return rows.map(({ id, at, artifacts, identity_version: identityVersion, run_id, name, environment }) => ({
    ...{ id, at, artifacts, identityVersion },
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

/** The latest run of each scanner of each cluster, by cluster, environment and scanner. */
export async function listLatestRunsOfScanners(
  db: Db,
  clusters: ClusterChoice & { ownerId: number },
  choice: PageChoice,
): Promise<Page<Run>> {
  const ids = await findLatestOfScanners(db, clusters)
  const rows = await runsOf(db, clusters.ownerId)
    .where(sql<boolean>`run.id in ${integers(ids)}`)
    .orderBy('cluster.name')
    .orderBy('cluster.environment')
    .orderBy('run.format')
    .limit(choice.perPage)
    .offset((choice.page - 1) * choice.perPage)
    .execute()
  return pageOf(
    rows.map((row) => toStoredRun(row).run),
    choice,
    async () => ({ total: ids.length }),
  )
}

/** Row ids, in no order. */
export async function findLatestOfScanners(
  db: Db,
  { ownerId, ids: clusterIds, name, environment }: ClusterChoice,
): Promise<number[]> {
  let clusters = db.selectFrom('cluster').select('id')
  if (ownerId !== undefined) clusters = clusters.where('owner_id', '=', ownerId)
  if (clusterIds) clusters = clusters.where(sql<boolean>`id in ${integers(clusterIds)}`)
  if (name !== undefined) clusters = clusters.where('name', '=', name)
  if (environment !== undefined) clusters = clusters.where('environment', '=', environment)
  // An index seek for each cluster and scanner: older runs are not read.
  const { rows: latest } = await sql<{ id: number }>`
    select id from (
      select (select id from run where run.cluster_id = chosen.id and run.format = format.value
        order by at desc, id desc limit 1) as id
      from (${clusters}) as chosen cross join ${textRows(reportFormats, 'format')}) as latest
    where id is not null`.execute(db)
  return latest.map(({ id }) => id)
}

/** The same runs, with the figures that questions about findings need. */
export async function listLatestOfScanners(db: Db, choice: ClusterChoice): Promise<LatestRun[]> {
  const ids = await findLatestOfScanners(db, choice)
  const rows = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .select(['run.id', 'run.cluster_id', 'run.at', 'run.run_id', 'run.format', 'run.score', 'run.is_empty'])
    .select('run.source_version')
    .select(['run.not_run_checks', 'run.suppressed_findings', 'run.distinct_findings', 'run.findings_total'])
    .select(['run.findings_critical', 'run.findings_high', 'run.findings_medium', 'run.findings_low'])
    .select(['run.findings_info', 'run.findings_unknown', 'cluster.name', 'cluster.environment'])
    .where(sql<boolean>`run.id in ${integers(ids)}`)
    .orderBy('cluster.name')
    .orderBy('cluster.environment')
    .orderBy('run.format')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    clusterId: row.cluster_id,
    at: row.at,
    distinct: JSON.parse(row.distinct_findings),
    run: {
      run_id: row.run_id,
      cluster_name: row.name,
      environment: row.environment,
      format: row.format,
      source_version: row.source_version,
      score: row.score,
      is_empty: row.is_empty === 1,
      not_run_checks: row.not_run_checks,
      findings: findingCounts(row),
      suppressed_findings: row.suppressed_findings,
    },
  }))
}

/**
 * Runs that came in while the clock was ahead get the time of the run before them, else that of the run that comes in
 * now (`at`): one from the future would stay the latest until then. Times are unix seconds.
 */
export async function correctFutureRuns(trx: Db, clusterId: number, { at, now }: { at: number; now: number }) {
  const { numUpdatedRows } = await trx
    .updateTable('run')
    .set({
      at: sql`coalesce((select max(at) from run as earlier
        where earlier.cluster_id = ${clusterId} and earlier.id < run.id and earlier.at <= ${now}), ${at})`,
      ingested_at: lesser(sql`ingested_at`, sql`${now}`),
    })
    .where('cluster_id', '=', clusterId)
    .where('at', '>', now)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await sql`
    update finding_history set first_at = (select at from run where run.id = first_run_id)
    where cluster_id = ${clusterId} and first_at > ${now}`.execute(trx)
}

/** Runs of a cluster, newest first. */
export async function listRunsOfCluster(db: Db, clusterId: number, limit: number): Promise<StoredRun[]> {
  const rows = await newestFirst(db, [clusterId]).limit(limit).execute()
  return rows.map(toStoredRun)
}

/** The previous run of the same scanner. */
export async function findRunBefore(db: Db, run: LatestRun): Promise<StoredRun | undefined> {
  const row = await newestFirst(db, [run.clusterId])
    .where('run.format', '=', run.run.format)
    .where((eb) => before(eb, run))
    .limit(1)
    .executeTakeFirst()
  return row && toStoredRun(row)
}

/** Those of the runs, by row id, that have a previous run of the same scanner. */
export async function listRunsWithEarlier(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from run where id in ${integers(ids)} and exists (
      select 1 from run as earlier where earlier.cluster_id = run.cluster_id and earlier.format = run.format
        and (earlier.at, earlier.id) < (run.at, run.id))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Points of one scanner's runs, oldest first. */
export interface ScannerPoints {
  format: ReportFormat
  points: TrendPoint[]
}

/** By scanner, that of the latest run first: scores of two scanners are no trend. `since` in unix seconds. */
export async function listTrendPoints(db: Db, clusterId: number, since: number): Promise<ScannerPoints[]> {
  const rows = await db
    .selectFrom('run')
    .select(['run_id', 'at', 'format', 'score', 'failed_checks', 'not_run_checks', 'findings_total'])
    .select(['scope_gaps', 'gaps_key'])
    .where('cluster_id', '=', clusterId)
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('id')
    .execute()
  const byFormat = Map.groupBy(rows.toReversed(), ({ format }) => format)
  return [...byFormat].map(([format, own]) => ({
    format,
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

/** Size of all reports of the owner, as uploaded. */
export async function sumReportBytes(db: Db, ownerId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .select((eb) => eb.fn.sum<number | null>('run.size_bytes').as('bytes'))
    .where('cluster.owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return bytes ?? 0
}

export async function setGate(
  trx: Db,
  run: StoredRun,
  { verdict, at, limits }: { verdict: GateVerdict; at: UnixSeconds; limits: GateLimits },
): Promise<void> {
  const row = {
    gate_verdict: verdict,
    gate_at: at,
    gate_let_pass: limits.let_pass,
    gate_exceptions_end: limits.exceptions_end,
  }
  await trx.updateTable('run').set(row).where('id', '=', run.id).execute()
}

export async function setGaps(
  trx: Db,
  run: Pick<StoredRun, 'id'>,
  gaps: { scope_gaps: number; gaps_key: string },
): Promise<void> {
  await trx.updateTable('run').set(gaps).where('id', '=', run.id).execute()
}

export async function deleteRun(trx: Db, run: StoredRun): Promise<void> {
  await trx.deleteFrom('run').where('id', '=', run.id).execute()
  await trx.deleteFrom('cluster').where('id', '=', run.clusterId).where(isForgettable).execute()
}

function runsOf(db: Db, ownerId: number) {
  return db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .selectAll('run')
    .select(['cluster.name', 'cluster.environment'])
    .where('cluster.owner_id', '=', ownerId)
}

function newestFirst(db: Db, clusterIds: number[]) {
  return db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .selectAll('run')
    .select(['cluster.name', 'cluster.environment'])
    .where('run.cluster_id', 'in', clusterIds)
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')
}

function before(eb: ExpressionBuilder<Tables, 'run'>, run: Pick<StoredRun, 'id' | 'at'>) {
  return sql<boolean>`(${eb.ref('run.at')}, ${eb.ref('run.id')}) < (${run.at}, ${run.id})`
}

type GateRow = Pick<RunRow, 'gate_verdict' | 'gate_at' | 'gate_let_pass' | 'gate_exceptions_end'>

/** The verdict of a run, as lists have it. */
export function gateOfRow(row: GateRow): RunGate | null {
  const { gate_verdict: verdict, gate_at: at, gate_let_pass: let_pass, gate_exceptions_end: exceptions_end } = row
  if (verdict === null || at === null) return null
  return { verdict, at: formatTimestamp(at), ...(let_pass !== null && { limits: { let_pass, exceptions_end } }) }
}

function toStoredRun(row: RunRow): StoredRun {
  const distinct = JSON.parse(row.distinct_findings)
  const gate = gateOfRow({ ...row, gate_at: row.gate_at ?? row.ingested_at })
  const gaps = { scope_gaps: row.scope_gaps, gaps_key: row.gaps_key }
  const run = { ...toRun(row.run_id, readRunRow(row), gate), ...gaps }
  return { id: row.id, clusterId: row.cluster_id, at: row.at, distinct, run }
}
