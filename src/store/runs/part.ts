import { type Selectable, sql } from 'kysely'
import { integers, jsonRows } from '../../db/dialect.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { upsert } from '../../db/upsert.ts'
import type { Sealed } from '../../util/seal.ts'

/** A sealed part of a run. Only the vault opens it. */
export interface SealedPart {
  kind: Tables['run_part']['kind']
  part: number
  keyId: string
  sealed: Sealed
}

export async function insertParts(trx: Db, runRowId: number, parts: SealedPart[]): Promise<void> {
  for (const { kind, part, keyId, sealed } of parts) {
    await trx.insertInto('run_part').values({ run_id: runRowId, kind, part, key_id: keyId, sealed }).execute()
  }
}

export async function getPart(db: Db, runRowId: number, kind: SealedPart['kind'], part = 0): Promise<SealedPart> {
  const found = await findPart(db, runRowId, kind, part)
  if (!found) throw new Error(`run ${runRowId} has no part ${part} of kind ${kind}`)
  return found
}

/** Undefined if the run has no such part. */
export async function findPart(
  db: Db,
  runRowId: number,
  kind: SealedPart['kind'],
  part = 0,
): Promise<SealedPart | undefined> {
  const [row] = await partOfRun(db, [runRowId, kind, part])
  return row && { kind, part, keyId: row.key_id, sealed: row.sealed }
}

// Precompiled, because a page of findings reads fifty parts and building a query takes longer than running it.
const partOfRun = fixedQuery<Pick<Selectable<Tables['run_part']>, 'key_id' | 'sealed'>>(
  'select key_id, sealed from run_part where run_id = ? and kind = ? and part = ?',
)

/** The first part of a kind for several runs, by run row id. */
export async function getParts(
  db: Db,
  runRowIds: number[],
  kind: SealedPart['kind'],
): Promise<Map<number, SealedPart>> {
  if (runRowIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('run_part')
    .select(['run_id', 'key_id', 'sealed'])
    .where(sql<boolean>`run_id in ${integers(runRowIds)}`)
    .where('kind', '=', kind)
    .where('part', '=', 0)
    .execute()
  return new Map(rows.map(({ run_id, key_id, sealed }) => [run_id, { kind, part: 0, keyId: key_id, sealed }]))
}

export async function insertFindingRecords(trx: Db, runRowId: number, records: Uint8Array): Promise<void> {
  await trx.insertInto('run_finding').values({ run_id: runRowId, records }).execute()
}

/** Replaces an earlier part. */
export async function replacePart(trx: Db, runRowId: number, { kind, part, keyId, sealed }: SealedPart): Promise<void> {
  await upsert(trx, 'run_part', { run_id: runRowId, kind, part }, { key_id: keyId, sealed })
}

/** Replaces what is carried over: it follows the scan's own `blocks` of details. */
export async function replaceCarried(
  trx: Db,
  runRowId: number,
  { parts, records, blocks }: { parts: SealedPart[]; records: Uint8Array; blocks: number },
): Promise<void> {
  await trx
    .deleteFrom('run_part')
    .where('run_id', '=', runRowId)
    .where('kind', '=', 'details')
    .where('part', '>=', blocks)
    .execute()
  for (const part of parts) await replacePart(trx, runRowId, part)
  await trx.updateTable('run_finding').set({ records }).where('run_id', '=', runRowId).execute()
}

export async function getFindingRecords(db: Db, runRowId: number): Promise<Buffer> {
  const [row] = await recordsOfRun(db, [runRowId])
  if (!row) throw new Error(`run ${runRowId} has no records`)
  const { records } = row
  return Buffer.from(records.buffer, records.byteOffset, records.byteLength)
}

const recordsOfRun = fixedQuery<{ records: Uint8Array }>('select records from run_finding where run_id = ?')

/** Run row id → bytes of its records. */
export async function findRecordLengths(db: Db, runRowIds: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; length: number }>`
    select run_id as id, length(records) as length from run_finding
    where run_id in ${integers(runRowIds)}`.execute(db)
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

/** Replaces the same part of the run's earlier assessment, unless the run or the context that it is based on has changed. */
export async function saveAssessment(
  trx: Db,
  runRowId: number,
  { assessment, context }: { assessment: SealedPart; context: SealedPart },
): Promise<void> {
  const now = await trx
    .selectFrom('run_part')
    .select('sealed')
    .where('run_id', '=', runRowId)
    .where('kind', '=', 'context')
    .where('part', '=', 0)
    .executeTakeFirst()
  if (!now || Buffer.compare(now.sealed, context.sealed) !== 0) return
  await replacePart(trx, runRowId, assessment)
}
