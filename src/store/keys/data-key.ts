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
export function listDataKeys(db: Db): Promise<WrappedKey[]> {
  return db
    .selectFrom('data_key')
    .select(['id', 'purpose', 'wrapped', 'master_key_id as masterKeyId'])
    .select(['created_at as createdAt', 'retired_at as retiredAt'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertDataKey(trx: Db, key: WrappedKey) {
  const { id, purpose, wrapped, masterKeyId, createdAt, retiredAt } = key
  await trx
    .insertInto('data_key')
    .values({ id, purpose, wrapped, master_key_id: masterKeyId, created_at: createdAt, retired_at: retiredAt })
    .execute()
}

export async function replaceWrapped(
  trx: Db,
  { id, wrapped, masterKeyId }: Pick<WrappedKey, 'id' | 'wrapped' | 'masterKeyId'>,
) {
  await trx.updateTable('data_key').set({ wrapped, master_key_id: masterKeyId }).where('id', '=', id).execute()
}

/** Marks keys as retired: triggers reject writes sealed with them. */
export async function retireSealKeys(trx: Db, now: number) {
  await trx
    .updateTable('data_key')
    .set({ retired_at: now })
    .where('purpose', '=', 'seal')
    .where('retired_at', 'is', null)
    .execute()
}

/** Removes retired keys that no longer seal anything; returns their ids. Call it in a write transaction. */
export async function removeUnusedKeys(trx: Db) {
  const counts = await countPieces(trx)
  const retired = await trx.selectFrom('data_key').select('id').where('retired_at', 'is not', null).execute()
  const unused = retired.map(({ id }) => id).filter((id) => !counts.has(id))
  if (unused.length > 0) await trx.deleteFrom('data_key').where('id', 'in', unused).execute()
  return unused
}
