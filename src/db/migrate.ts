import { type Kysely, sql, type Transaction } from 'kysely'
import { ReltError } from '../errors.ts'
import { migrations } from './migrations/index.ts'

/** Number of migrations that a store of this release has done. */
export const newestSchema = migrations.length

/**
 * Migrates the store to the newest schema, all or nothing. `user_version` counts the applied migrations, so a start without
 * due migrations costs one read. Throws `store_unusable` for a store of a newer relt.
 */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  if (await isMigrated(db)) return
  await db.transaction().execute(async (trx) => {
    const version = await versionOf(trx)
    if (version > migrations.length) {
      throw new ReltError('store_unusable', 'The store was written by a newer relt.', { hint: 'Update relt.' })
    }
    for (const load of migrations.slice(version)) await (await load()).up(trx as Transaction<unknown>)
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
