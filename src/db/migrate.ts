import { type Kysely, sql, type Transaction } from 'kysely'
import { ReltError } from '../errors.ts'
import { migrations } from './migrations/index.ts'

/** Number of migrations that a store of this release has done. */
export const newestSchema = migrations.length

/**
 * Brings the store to the newest version, all or nothing. `user_version` counts the migrations that are done: one read
 * tells at each start that there is nothing to do. Throws `store_unusable` when a newer relt has written the store.
 */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  if (await isMigrated(db)) return
  await db.transaction().execute(async (trx) => {
    const version = await versionOf(trx)
    if (version > migrations.length) {
      throw new ReltError('store_unusable', 'The store was written by a newer relt.', { hint: 'Update relt.' })
    }
    for (const up of migrations.slice(version)) await up(trx as Transaction<unknown>)
    await sql`pragma user_version = ${sql.raw(String(migrations.length))}`.execute(trx)
  })
}

export async function isMigrated<T>(db: Kysely<T>): Promise<boolean> {
  return (await versionOf(db)) === migrations.length
}

async function versionOf<T>(db: Kysely<T>): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]!.user_version
}
