import { sql } from 'kysely'
import { integers, pieces, piecesToMerge } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import { recordLength } from '../../reports/finding-records.ts'
import { fingerprintLength } from '../../reports/fingerprint.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { getFindingRecords } from './records.ts'
import type { StoredRun } from './stored-run.ts'

/** Keeps the earliest run of each finding. */
export const unlessEarlier = sql`
    on conflict (cluster_id, fingerprint) do update set first_at = excluded.first_at, first_run_id = excluded.first_run_id
    where (excluded.first_at, excluded.first_run_id) < (finding_history.first_at, finding_history.first_run_id)`

/** Splits joined fingerprints into the rows of a table. */
function fingerprintsIn(fingerprints: Uint8Array, alias: string) {
  return pieces(fingerprints, { stride: fingerprintLength, length: fingerprintLength }, alias)
}

/** Stores the earliest run of each finding; runs may come in any order. A candidate's findings are not the cluster's. */
export async function rememberFindings(trx: Db, run: Pick<StoredRun, 'id' | 'clusterId' | 'at'>, records: Uint8Array) {
  const came = piecesToMerge(records, { stride: recordLength, length: fingerprintLength }, 'came')
  await sql`
    insert into finding_history (cluster_id, fingerprint, first_at, first_run_id)
    select ${run.clusterId}, fingerprint, ${run.at}, ${run.id} from ${came}
    where (select is_candidate from run where id = ${run.id}) = 0
    ${unlessEarlier}`.execute(trx)
  await trx
    .updateTable('cluster')
    .set({ first_at: run.at })
    .where('id', '=', run.clusterId)
    .where((eb) => eb.or([eb('first_at', 'is', null), eb('first_at', '>', run.at)]))
    .execute()
}

/** Cluster row id → a time before which none of its findings was seen. */
export async function findEarliest(db: Db, clusterIds: number[]): Promise<Map<number, UnixSeconds>> {
  const ofClusters = db.selectFrom('cluster').select(['id', 'first_at'])
  const rows = await ofClusters.where(sql<boolean>`id in ${integers(clusterIds)}`).execute()
  return new Map(rows.map(({ id, first_at }) => [id, first_at ?? 0]))
}

/** Positions of the fingerprints (joined, 16 bytes each) that an earlier run had. */
export async function findKnownFingerprints(
  db: Db,
  run: Pick<StoredRun, 'id' | 'clusterId' | 'at'>,
  fingerprints: Uint8Array,
): Promise<Set<number>> {
  if (fingerprints.length === 0) return new Set()
  const { rows } = await sql<{ position: number }>`
    select position from ${fingerprintsIn(fingerprints, 'came')}
    join finding_history as history on history.cluster_id = ${run.clusterId} and history.fingerprint = came.fingerprint
    where (first_at, first_run_id) < (${run.at}, ${run.id})`.execute(db)
  return new Set(rows.map((row) => row.position))
}

/** Call before deleting a run: attributes its first appearances to the next run with the finding, or deletes them. */
export async function forgetRun(trx: Db, run: StoredRun): Promise<void> {
  const later = await trx
    .selectFrom('run')
    .innerJoin('run_finding', 'run_finding.run_id', 'run.id')
    .select(['run.id', 'run.at'])
    .where('cluster_id', '=', run.clusterId)
    .where('is_candidate', '=', 0)
    .where('run.id', '!=', run.id)
    .where((eb) => sql<boolean>`(${eb.ref('run.at')}, ${eb.ref('run.id')}) > (${run.at}, ${run.id})`)
    .orderBy('run.at')
    .orderBy('run.id')
    .execute()
  const firsts = trx
    .selectFrom('finding_history')
    .where('cluster_id', '=', run.clusterId)
    .where('first_run_id', '=', run.id)
  for (const next of later) {
    if (!(await hasRows(firsts))) return
    const records = await getFindingRecords(trx, next.id)
    const shown = piecesToMerge(records, { stride: recordLength, length: fingerprintLength }, 'shown')
    await sql`
      update finding_history set first_at = ${next.at}, first_run_id = ${next.id}
      where cluster_id = ${run.clusterId} and first_run_id = ${run.id}
        and fingerprint in (select fingerprint from ${shown})`.execute(trx)
  }
  await trx
    .deleteFrom('finding_history')
    .where('cluster_id', '=', run.clusterId)
    .where('first_run_id', '=', run.id)
    .execute()
}

/** First time that the cluster had each of these fingerprints (joined, 16 bytes each): position → unix seconds. */
export async function listFirstSeen(db: Db, clusterId: number, fingerprints: Uint8Array): Promise<Map<number, number>> {
  if (fingerprints.length === 0) return new Map()
  const { rows } = await sql<{ position: number; first_at: number }>`
    select position, first_at from ${fingerprintsIn(fingerprints, 'asked')}
    join finding_history as history on history.cluster_id = ${clusterId} and history.fingerprint = asked.fingerprint`.execute(
    db,
  )
  return new Map(rows.map(({ position, first_at }) => [position, first_at]))
}

export interface KnownFinding {
  clusterId: number
  clusterName: string
  environment: string
  /** Unix seconds. */
  firstAt: number
  /** Undefined if the run was deleted or has expired. */
  firstRunId: string | undefined
}

/** The owner's clusters that have or had a finding, by name and environment. `fingerprint` is the stored one. */
export async function listClustersWithFinding(
  db: Db,
  { ownerId, name, environment }: { ownerId: number; name?: string | undefined; environment?: string | undefined },
  fingerprint: Uint8Array,
): Promise<KnownFinding[]> {
  let query = db
    .selectFrom('cluster')
    .innerJoin('finding_history as history', 'history.cluster_id', 'cluster.id')
    .leftJoin('run', 'run.id', 'history.first_run_id')
    .select(['cluster.id as clusterId', 'cluster.name as clusterName', 'cluster.environment'])
    .select(['history.first_at as firstAt', 'run.run_id'])
    .where('cluster.owner_id', '=', ownerId)
    .where('history.fingerprint', '=', fingerprint)
  if (name !== undefined) query = query.where('cluster.name', '=', name)
  if (environment !== undefined) query = query.where('cluster.environment', '=', environment)
  const rows = await query.orderBy('cluster.name').orderBy('cluster.environment').execute()
  return rows.map(({ run_id, ...known }) => ({ ...known, firstRunId: run_id ?? undefined }))
}

/** All fingerprints that a cluster has or had, joined. */
export async function getKnownFingerprints(db: Db, clusterId: number): Promise<Buffer> {
  const rows = await db
    .selectFrom('finding_history')
    .select('fingerprint')
    .where('cluster_id', '=', clusterId)
    .execute()
  return Buffer.concat(rows.map(({ fingerprint }) => fingerprint))
}
