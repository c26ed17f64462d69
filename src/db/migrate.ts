import { type Kysely, sql } from 'kysely'
import { applicationId } from './application-id.ts'
import { otherStore } from './earlier-store.ts'
import { newerStore, newestSchema, statementsSince } from './migrations.ts'

/**
 * Creates the tables of a new store, or migrates a store to the newest schema, in one transaction. `user_version` is the
 * schema version, so starting without due migrations costs one read. Throws `store_unusable` for a store of a newer relt.
 */
export async function migrate<T>(db: Kysely<T>) {
  if (await isMigrated(db)) return
  await db.transaction().execute(async (trx) => {
    const version = await versionFor(trx)
    const newest = newestSchema()
    if (version > newest) throw newerStore('The store')
    for (const statement of await statementsSince(version, 'sqlite')) await sql.raw(statement).execute(trx)
    await sql.raw(`pragma application_id = ${applicationId}`).execute(trx)
    await sql.raw(`pragma user_version = ${newest}`).execute(trx)
  })
}

export async function isMigrated<T>(db: Kysely<T>) {
  return (await versionFor(db)) === newestSchema()
}

/** Throws `store_unusable` for a store of which the header was still in the WAL, and which has other tables. */
async function versionFor<T>(db: Kysely<T>) {
  const { rows } = await sql<{ version: number; id: number }>`select user_version as version, application_id as id
    from pragma_user_version, pragma_application_id`.execute(db)
  const { version, id } = rows[0]!
  if (version > 0 && id !== applicationId) throw otherStore('The store')
  return version
}
