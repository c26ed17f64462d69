import { type Selectable, sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { upsert } from '../../db/upsert.ts'
import type { Sealed } from '../../util/seal.ts'
import { replaceRecords } from './records.ts'

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

/** Replaces an earlier part. */
export async function replacePart(trx: Db, runRowId: number, { kind, part, keyId, sealed }: SealedPart): Promise<void> {
  await upsert(trx, 'run_part', { run_id: runRowId, kind, part }, { key_id: keyId, sealed })
}

export async function removePart(trx: Db, runRowId: number, kind: SealedPart['kind']): Promise<void> {
  await trx.deleteFrom('run_part').where('run_id', '=', runRowId).where('kind', '=', kind).execute()
}

/** Replaces what is carried over: it follows the scan's own `blocks` of details. */
export async function replaceCarried(
  trx: Db,
  runRowId: number,
  { parts, records, blocks }: { parts: SealedPart[]; records: Buffer; blocks: number },
): Promise<void> {
  await trx
    .deleteFrom('run_part')
    .where('run_id', '=', runRowId)
    .where('kind', '=', 'details')
    .where('part', '>=', blocks)
    .execute()
  for (const part of parts) await replacePart(trx, runRowId, part)
  await replaceRecords(trx, runRowId, records)
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
