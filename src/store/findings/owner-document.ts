import type { Insertable, Selectable } from 'kysely'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

/** Tables with at most one row per owner: a sealed document. */
export type DocumentTable = 'ownership' | 'gate_policy'

type DocumentRow = Omit<Selectable<Tables['ownership']>, 'id' | 'owner_id'>

export async function findDocument(db: Db, table: DocumentTable, ownerId: number): Promise<DocumentRow | undefined> {
  const [row] = await documentFor[table](db, { ownerId })
  return row
}

const documentIn = (table: DocumentTable) =>
  builtOnce((db, { ownerId }: { ownerId: number }) =>
    db
      .selectFrom(table)
      .select(['public_id', 'changed_at', 'changed_by', 'key_id', 'sealed'])
      .where('owner_id', '=', ownerId),
  )

const documentFor = { ownership: documentIn('ownership'), gate_policy: documentIn('gate_policy') }

/** Replaces the earlier document. */
export async function saveDocument(trx: Db, table: DocumentTable, row: Insertable<Tables['ownership']>): Promise<void> {
  await removeDocument(trx, table, row.owner_id)
  await trx.insertInto(table).values(row).execute()
}

export async function removeDocument(trx: Db, table: DocumentTable, ownerId: number): Promise<void> {
  await trx.deleteFrom(table).where('owner_id', '=', ownerId).execute()
}
