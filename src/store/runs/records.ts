import { sql } from 'kysely'
import { integers, jsonRows } from '../../db/dialect.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { packWith, unpackWith } from '../../util/pack.ts'

/**
 * Records of findings. Those of a run that is not the latest are compressed, with the records of the latest run of its time
 * as dictionary: two runs of a cluster differ little, and their keyed fingerprints do not compress otherwise.
 */

/** Runs of which each needs the next. The one before them is left whole, because reading takes a step for each. */
const longestChain = 64

export async function insertFindingRecords(trx: Db, runRowId: number, records: Uint8Array): Promise<void> {
  await trx.insertInto('run_finding').values({ run_id: runRowId, records }).execute()
}

export async function getFindingRecords(db: Db, runRowId: number): Promise<Buffer> {
  const [row] = await recordsOfRun(db, [runRowId])
  if (!row) throw new Error(`run ${runRowId} has no records`)
  const records = Buffer.from(row.records.buffer, row.records.byteOffset, row.records.byteLength)
  return row.packed_with === null ? records : unpackWith(records, await getFindingRecords(db, row.packed_with))
}

const recordsOfRun = fixedQuery<{ records: Uint8Array; packed_with: number | null }>(
  'select records, packed_with from run_finding where run_id = ?',
)

/** Compresses the records of a run with those of the latest one of its series. */
export async function packRecords(trx: Db, runRowId: number, latest: number): Promise<void> {
  const [chain, other] = [await chainOf(trx, runRowId), await chainOf(trx, latest)]
  if (chain === longestChain) return
  const records = packWith(await getFindingRecords(trx, runRowId), await getFindingRecords(trx, latest))
  await update(trx, runRowId, { records, packed_with: latest })
  await update(trx, latest, { chain: Math.max(other, chain + 1) })
}

async function chainOf(trx: Db, runRowId: number): Promise<number> {
  return (await ofRun(trx, runRowId).select('chain').executeTakeFirstOrThrow()).chain
}

/** Replaces the records of a run. */
export async function replaceRecords(trx: Db, runRowId: number, records: Buffer): Promise<void> {
  const { packed_with } = await ofRun(trx, runRowId).select('packed_with').executeTakeFirstOrThrow()
  const dependent = await unpackDependent(trx, [runRowId])
  await update(trx, runRowId, { records, packed_with: null })
  for (const id of dependent) await packRecords(trx, id, runRowId)
  if (packed_with !== null) await packRecords(trx, runRowId, packed_with)
}

/** Makes the records of other runs whole that need these runs, which are about to be deleted or replaced. */
export async function unpackDependent(trx: Db, runRowIds: number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('run_finding')
    .select('run_id')
    .where(sql<boolean>`packed_with in ${integers(runRowIds)}`)
    .execute()
  const others = rows.map(({ run_id }) => run_id).filter((id) => !runRowIds.includes(id))
  for (const id of others) await update(trx, id, { records: await getFindingRecords(trx, id), packed_with: null })
  return others
}

const ofRun = (db: Db, runRowId: number) => db.selectFrom('run_finding').where('run_id', '=', runRowId)

async function update(
  trx: Db,
  runRowId: number,
  values: { records?: Buffer; packed_with?: number | null; chain?: number },
): Promise<void> {
  await trx.updateTable('run_finding').set(values).where('run_id', '=', runRowId).execute()
}

/** Run row id → bytes of its records, unless they are compressed. */
export async function findRecordLengths(db: Db, runRowIds: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; length: number }>`
    select run_id as id, length(records) as length from run_finding
    where run_id in ${integers(runRowIds)} and packed_with is null`.execute(db)
  return new Map(rows.map(({ id, length }) => [id, length]))
}

/**
 * Ranges of the records of several runs, by run row id; `start` and `length` are in bytes. Copying all records of a hundred
 * runs, or searching them in SQLite, takes five times as long.
 */
export async function findRecordParts(
  db: Db,
  parts: { id: number; start: number; length: number }[],
): Promise<Map<number, Buffer>> {
  const wanted = JSON.stringify(parts.map(({ id, start, length }) => [id, start + 1, length]))
  const { rows } = await sql<{ id: number; bytes: Uint8Array | null }>`
    select run_id as id,
      substr(records, cast(wanted.value->>1 as integer), cast(wanted.value->>2 as integer)) as bytes
    from ${jsonRows(wanted, 'wanted')}
    join run_finding on run_id = cast(wanted.value->>0 as bigint)`.execute(db)
  // SQLite returns null for zero bytes.
  return new Map(rows.map(({ id, bytes }) => [id, Buffer.from(bytes ?? [])]))
}
