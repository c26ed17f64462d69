import { sql } from 'kysely'
import { hasTable } from '../../db/has-table.ts'
import type { Db } from '../../db/open.ts'
import type { DataKeyTable } from '../../db/tables/data-key.ts'

/** A key as it lies in the store: wrapped by the master key. */
export interface WrappedKey {
  id: string
  purpose: DataKeyTable['purpose']
  wrapped: Uint8Array
  masterKeyId: string
  /** Unix seconds. */
  createdAt: number
  retiredAt: number | null
}

/** A store that is read as it is may be older than its data keys. */
export function hasDataKeyTable(db: Db): Promise<boolean> {
  return hasTable(db, 'data_key')
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

/** Triggers refuse writes sealed with a retired key: see the migration. */
export async function retireSealKeys(trx: Db, now: number): Promise<void> {
  await trx
    .updateTable('data_key')
    .set({ retired_at: now })
    .where('purpose', '=', 'seal')
    .where('retired_at', 'is', null)
    .execute()
}

/** Removes retired keys that nothing is sealed with; returns their ids. Call it in a write transaction. */
export async function removeUnusedKeys(trx: Db): Promise<string[]> {
  const counts = await countPieces(trx)
  const retired = await trx.selectFrom('data_key').select('id').where('retired_at', 'is not', null).execute()
  const unused = retired.map(({ id }) => id).filter((id) => !counts.has(id))
  if (unused.length > 0) await trx.deleteFrom('data_key').where('id', 'in', unused).execute()
  return unused
}

/** Sealed pieces by the id of their key. */
export async function countPieces(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_id: string; count: number }>`
    select key_id, sum(count) as count from (
      select key_id, count(*) as count from run_part group by key_id
      union all select key_id, count(*) from cluster_config group by key_id
      union all select key_id, count(*) from webhook group by key_id
      union all select key_id, count(*) from signing_secret group by key_id
      union all select key_id, count(*) from exception group by key_id
      union all select key_id, count(*) from accepted_scope group by key_id
    ) as kept group by key_id`.execute(db)
  return new Map(rows.map(({ key_id, count }) => [key_id, count]))
}
