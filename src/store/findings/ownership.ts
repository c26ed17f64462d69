import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

type OwnershipRow = Omit<Selectable<Tables['ownership']>, 'id' | 'owner_id'>

export function findOwnership(db: Db, ownerId: number): Promise<OwnershipRow | undefined> {
  return db
    .selectFrom('ownership')
    .select(['ownership_id', 'changed_at', 'changed_by', 'key_id', 'sealed'])
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
}

/** In place of the earlier one. */
export async function saveOwnership(trx: Db, row: Insertable<Tables['ownership']>): Promise<void> {
  await trx.deleteFrom('ownership').where('owner_id', '=', row.owner_id).execute()
  await trx.insertInto('ownership').values(row).execute()
}
