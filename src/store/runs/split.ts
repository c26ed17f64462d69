import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { insertParts, type SealedPart } from './part.ts'

/** Splits of these runs, by the run's row id. */
export async function listSplits(db: Db, runRowIds: number[]): Promise<Map<number, SealedPart[]>> {
  if (runRowIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('run_part')
    .select(['run_id', 'part', 'key_id as keyId', 'sealed'])
    .where(sql<boolean>`run_id in ${integers(runRowIds)}`)
    .where('kind', '=', 'split')
    .execute()
  return Map.groupBy(
    rows.map((row) => ({ ...row, kind: 'split' })),
    (row) => row.run_id,
  )
}

export async function insertSplit(trx: Db, runRowId: number, part: SealedPart, maker: string | null): Promise<void> {
  await insertParts(trx, runRowId, [part])
  await trx.insertInto('workload_split').values({ run_id: runRowId, part: part.part, made_by: maker }).execute()
}

export interface MadeSplit {
  id: number
  runRowId: number
  part: number
}

/** The splits that these makers made. */
export function listMadeSplits(db: Db, makers: string[]): Promise<MadeSplit[]> {
  const query = db.selectFrom('workload_split').select(['id', 'run_id as runRowId', 'part'])
  return query.where('made_by', 'in', makers).orderBy('id').execute()
}

export async function removeSplit(trx: Db, { id, runRowId, part }: MadeSplit): Promise<void> {
  await trx.deleteFrom('workload_split').where('id', '=', id).execute()
  const parts = trx.deleteFrom('run_part').where('run_id', '=', runRowId).where('kind', '=', 'split')
  await parts.where('part', '=', part).execute()
}
