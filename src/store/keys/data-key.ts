import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { countPieces } from './sealed-piece.ts'

/** A stored key, wrapped by the master key. */
export interface WrappedKey {
  id: string
  purpose: Tables['data_key']['purpose']
  wrapped: Uint8Array
  masterKeyId: string
  /** Unix seconds. */
  createdAt: number
  retiredAt: number | null
}

/** Oldest first. */
export async function listDataKeys(db: Db): Promise<WrappedKey[]> {
  const rows = await db.selectFrom('data_key').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose,
    wrapped: row.wrapped,
    masterKeyId: row.master_key_id,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
  }))
}

export async function insertDataKey(trx: Db, key: WrappedKey): Promise<void> {
  await trx
    .insertInto('data_key')
    .values({
      id: key.id,
      purpose: key.purpose,
      wrapped: key.wrapped,
      master_key_id: key.masterKeyId,
      created_at: key.createdAt,
      retired_at: key.retiredAt,
    })
    .execute()
}

export async function replaceWrapped(
  trx: Db,
  { id, wrapped, masterKeyId }: Pick<WrappedKey, 'id' | 'wrapped' | 'masterKeyId'>,
): Promise<void> {
  await trx.updateTable('data_key').set({ wrapped, master_key_id: masterKeyId }).where('id', '=', id).execute()
}

/** Marks keys as retired: triggers reject writes sealed with them. */
export async function retireSealKeys(trx: Db, now: number): Promise<void> {
  await trx
    .updateTable('data_key')
    .set({ retired_at: now })
    .where('purpose', '=', 'seal')
    .where('retired_at', 'is', null)
    .execute()
}

/** Removes retired keys that no longer seal anything; returns their ids. Call it in a write transaction. */
export async function removeUnusedKeys(trx: Db): Promise<string[]> {
  const counts = await countPieces(trx)
  const retired = await trx.selectFrom('data_key').select('id').where('retired_at', 'is not', null).execute()
  const unused = retired.map(({ id }) => id).filter((id) => !counts.has(id))
  if (unused.length > 0) await trx.deleteFrom('data_key').where('id', 'in', unused).execute()
  return unused
}
