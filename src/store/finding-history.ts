import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { recordLength, recordLengthOf } from '../reports/finding-records.ts'
import { fingerprintLength } from '../reports/fingerprint.ts'
import type { StoredRun } from './run.ts'

/** Cuts a blob into its fingerprints inside SQLite: 200,000 of them pass as one value. */
function fingerprintsIn(blob: Uint8Array, stride: number) {
  return sql`(with recursive place(start) as (
      select 1 where length(${blob}) > 0
      union all select start + ${stride} from place where start + ${stride} <= length(${blob}))
    select (start - 1) / ${stride} as position, substr(${blob}, start, ${fingerprintLength}) as fingerprint from place)`
}

/** Keeps the earliest run that had each finding; runs may come in any order. */
export async function rememberFindings(trx: Db, run: Pick<StoredRun, 'id' | 'clusterId' | 'at'>, records: Uint8Array) {
  await sql`
    insert into finding_history (cluster_id, fingerprint, first_at, first_run_id)
    select ${run.clusterId}, fingerprint, ${run.at}, ${run.id} from ${fingerprintsIn(records, recordLength)} where true
    on conflict do update set first_at = excluded.first_at, first_run_id = excluded.first_run_id
    where (excluded.first_at, excluded.first_run_id) < (first_at, first_run_id)`.execute(trx)
}

/** Positions of the fingerprints (joined, 16 bytes each) that a run before this one had. */
export async function findKnownFingerprints(db: Db, run: StoredRun, fingerprints: Uint8Array): Promise<Set<number>> {
  if (fingerprints.length === 0) return new Set()
  const { rows } = await sql<{ position: number }>`
    select position from ${fingerprintsIn(fingerprints, fingerprintLength)} as came
    join finding_history as history on history.cluster_id = ${run.clusterId} and history.fingerprint = came.fingerprint
    where (first_at, first_run_id) < (${run.at}, ${run.id})`.execute(db)
  return new Set(rows.map((row) => row.position))
}

/** Before a run goes: what it was the first to show is handed to the next run that shows it, or forgotten. */
export async function forgetRun(trx: Db, run: StoredRun): Promise<void> {
  const later = await trx
    .selectFrom('run')
    .innerJoin('run_finding', 'run_finding.run_id', 'run.id')
    .select(['run.id', 'run.at', 'run.identity_version'])
    .where('cluster_id', '=', run.clusterId)
    .where('run.id', '!=', run.id)
    .where((eb) => sql<boolean>`(${eb.ref('run.at')}, ${eb.ref('run.id')}) > (${run.at}, ${run.id})`)
    .orderBy('run.at')
    .orderBy('run.id')
    .execute()
  for (const next of later) {
    if (!(await hasFirsts(trx, run))) return
    const { records } = await trx
      .selectFrom('run_finding')
      .select('records')
      .where('run_id', '=', next.id)
      .executeTakeFirstOrThrow()
    await sql`
      update finding_history set first_at = ${next.at}, first_run_id = ${next.id}
      where cluster_id = ${run.clusterId} and first_run_id = ${run.id}
        and fingerprint in (select fingerprint from ${fingerprintsIn(records, recordLengthOf(next.identity_version))})`.execute(
      trx,
    )
  }
  await forgetFirstRun(trx, run)
}

/** Removes the first appearances that are attributed to a run. */
export async function forgetFirstRun(trx: Db, run: Pick<StoredRun, 'id' | 'clusterId'>): Promise<void> {
  await trx
    .deleteFrom('finding_history')
    .where('cluster_id', '=', run.clusterId)
    .where('first_run_id', '=', run.id)
    .execute()
}

async function hasFirsts(trx: Db, run: StoredRun): Promise<boolean> {
  const row = await trx
    .selectFrom('finding_history')
    .select('first_at')
    .where('cluster_id', '=', run.clusterId)
    .where('first_run_id', '=', run.id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
