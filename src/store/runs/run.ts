import { type Insertable, sql } from 'kysely'
import { findingSeverities } from '../../contract/choices.ts'
import type { GateLimits, GateVerdict } from '../../contract/gate-verdict.ts'
import type { FindingCounts } from '../../contract/scan-finding.ts'
import { integers, lesser, rowLock, texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import type { RunRecord } from '../../reports/run-record.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { isForgettable } from './cluster.ts'
import { countColumns, runColumns } from './columns.ts'
import { unpackDependent } from './records.ts'
import { runsFor, type StoredRun, selectRuns, toStoredRun } from './stored-run.ts'

type NewRun = Omit<Insertable<Tables['run']>, keyof ReturnType<typeof runColumns>> & { record: RunRecord }

/** Returns the run's row id. */
export async function insertRun(trx: Db, { record, ...run }: NewRun): Promise<number> {
  const row = { ...run, ...runColumns(record) }
  const { id } = await trx.insertInto('run').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export interface UploadIdentity {
  contentHash: Uint8Array
  idempotencyKey: string | undefined
  /** The report contains its own time: the same content is the same scan. */
  hasOwnTime: boolean
  /** Unix seconds, from the envelope; null if it has no scan time. */
  scannedAt: number | null
  /** It is the run of a pull request. The same report after the merge is another run. */
  isOfRequest: boolean
}

/** A client without idempotency keys retries within this time. */
const retrySeconds = 900

/**
 * The run that an upload duplicates: with the same idempotency key, or with the same content and scan time. Without a scan
 * time each upload is a new scan, unless it has no key and follows the same content shortly.
 */
export async function findDuplicate(
  db: Db,
  cluster: { ownerId: number; name: string; environment: string },
  { contentHash, idempotencyKey, hasOwnTime, scannedAt, isOfRequest }: UploadIdentity,
  now: number,
): Promise<StoredRun | undefined> {
  const ofCluster = runsFor(db, cluster.ownerId)
    .where('cluster.name', '=', cluster.name)
    .where('cluster.environment', '=', cluster.environment)
  if (idempotencyKey !== undefined) {
    const row = await ofCluster.where('idempotency_key', '=', idempotencyKey).executeTakeFirst()
    if (row) return toStoredRun(row)
  }
  let same = ofCluster.where('content_hash', '=', contentHash)
  if (!isOfRequest) same = same.where(sql<boolean>`coalesce(run.ci, '') not like '%"pull_request":%'`)
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
  const row = await runsFor(db, ownerId).where('run.run_id', '=', runId).executeTakeFirst()
  if (!row) throw notFound('run', runId)
  return toStoredRun(row)
}

export async function getRunById(db: Db, id: number): Promise<StoredRun> {
  return toStoredRun(await selectRuns(db).where('run.id', '=', id).executeTakeFirstOrThrow())
}

/** Locks runs against reindexing and deletion; returns the row ids of existing ones. */
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

/**
 * Corrects runs uploaded while the clock was ahead: they get the time of the run before them, or of the current upload
 * (`at`). Otherwise a run in the future would remain the latest. Times are unix seconds.
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

/** Total size of the owner's reports, as uploaded. */
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

export async function setCandidate(trx: Db, { id }: StoredRun, isCandidate: boolean): Promise<void> {
  await trx
    .updateTable('run')
    .set({ is_candidate: isCandidate ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

export async function setGaps(
  trx: Db,
  run: Pick<StoredRun, 'id'>,
  gaps: { scope_gaps: number; gaps_key: string; known_faults: number },
): Promise<void> {
  await trx.updateTable('run').set(gaps).where('id', '=', run.id).execute()
}

/** Sets how many of a run's findings it did not look at, and the counts that they are part of. */
export async function setCarried(
  trx: Db,
  { id, run, revision, carried: before }: StoredRun,
  { carried, distinct }: { carried: FindingCounts; distinct: number[] },
): Promise<void> {
  const findings = { ...run.findings }
  for (const key of ['total', ...findingSeverities] as const) findings[key] += carried[key] - (before?.[key] ?? 0)
  const columns = {
    ...countColumns(findings),
    carried: carried.total > 0 ? JSON.stringify(carried) : null,
    distinct_findings: JSON.stringify(distinct),
    revision: revision + 1,
  }
  await trx.updateTable('run').set(columns).where('id', '=', id).execute()
}

export async function deleteRun(trx: Db, run: StoredRun): Promise<void> {
  await unpackDependent(trx, [run.id])
  await trx.deleteFrom('run').where('id', '=', run.id).execute()
  await trx.deleteFrom('cluster').where('id', '=', run.clusterId).where(isForgettable).execute()
}
