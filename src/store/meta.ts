import type { Db } from '../db/open.ts'

export type MetaKey = 'master_key_id' | 'master_key_place' | 'catalog_date' | 'write_check'

export async function findMeta(db: Db, key: MetaKey): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

export async function setMeta(db: Db, key: MetaKey, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
