import type { Db } from './open.ts'
import { upsert } from './upsert.ts'

export type MetaKey =
  | 'master_key_id'
  | 'master_key_place'
  | 'catalog_date'
  | 'catalog_edition'
  | 'catalog_bundle'
  | 'bundle_files'
  | 'pulled'
  | 'removed_projects'
  | 'write_check'
  | 'agent_machine'
  | 'agent_id'
  | 'newer_relt'
  | 'events_routed'
  | 'delivery_channels'

export async function findMeta(db: Db, key: MetaKey) {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

export async function setMeta(db: Db, key: MetaKey, value: string) {
  await upsert(db, 'meta', { key }, { value })
}

/** Updates a counter from an expected value; false if another process changed it in the meantime. A missing counter is 0. */
export async function advanceMeta(trx: Db, key: MetaKey, { from, to }: { from: number; to: number }) {
  if (Number((await findMeta(trx, key)) ?? 0) !== from) return false
  await setMeta(trx, key, String(to))
  return true
}
