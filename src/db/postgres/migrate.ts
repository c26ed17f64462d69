import { type Kysely, sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { applicationId } from '../application-id.ts'
import { otherStore } from '../earlier-store.ts'
import { newerStore, newestSchema, statementsSince } from '../migrations.ts'
import { writeUnderLock } from './transaction.ts'

/**
 * Creates the tables of a new store, or migrates a store to the newest schema, in one transaction. Of several servers that
 * start at once, one does. Throws `store_unusable` for a store whose version cannot be migrated, or another database.
 */
export async function migratePostgres<T>(db: Kysely<T>) {
  const newest = newestSchema()
  if ((await versionFor(db)) === newest) return
  await writeUnderLock(db, 'schema', async (trx) => {
    const version = await versionFor(trx)
    if (version > newest) throw newerStore('The store')
    if (version === 0 && (await hasTables(trx))) throw otherStore('The database')
    await applyStatements(trx, version)
  })
}

/** Throws `usage` if the database is not empty. */
export async function createStore<T>(trx: Kysely<T>) {
  const isStore = (await versionFor(trx)) > 0
  if (isStore || (await hasTables(trx))) {
    throw new ReltError('usage', isStore ? 'The database has a store already.' : 'The database is not empty.', {
      hint: 'Name a database that was just created, before relt serves from it.',
    })
  }
  await applyStatements(trx, 0)
}

/** Runs the migrations from this version in an open transaction; 0: the database is empty. */
async function applyStatements<T>(trx: Kysely<T>, version: number) {
  if (version === 0) await createExtension(trx)
  const run = (text: string) => sql.raw(text).execute(trx)
  await run((await statementsSince(version, 'postgres')).join(';\n'))
  await run('create table if not exists relt_schema (version bigint not null, application bigint not null)')
  await run('delete from relt_schema')
  await run(`insert into relt_schema values (${newestSchema()}, ${applicationId})`)
}

/** Throws `store_unusable` for a store from before 0.1.0. */
export async function refuseEarlier<T>(db: Kysely<T>) {
  await versionFor(db)
}

/** 0: relt has no tables here. Throws `store_unusable` for a store from before 0.1.0. */
async function versionFor<T>(db: Kysely<T>) {
  // A session caches the absence that `to_regclass` returned, even after another session created the table.
  const { rows } = await sql`
    select 1 from pg_class where relname = 'relt_schema' and pg_table_is_visible(oid)`.execute(db)
  if (rows.length === 0) return 0
  const found = await sql<Record<string, unknown>>`select * from relt_schema`.execute(db)
  const { version, application } = found.rows[0] ?? {}
  if (typeof version !== 'number' || application !== applicationId) throw otherStore('The database')
  return version
}

/** Whether the schema already has tables. Tables of extensions do not count. */
async function hasTables<T>(db: Kysely<T>) {
  const { rows } = await sql`
    select 1 from pg_class
    where relkind in ('r', 'p') and relnamespace = to_regnamespace(current_schema())
      and not exists (
        select 1 from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )
    limit 1`.execute(db)
  return rows.length > 0
}

async function createExtension<T>(trx: Kysely<T>) {
  try {
    await sql`create extension if not exists pg_trgm`.execute(trx)
  } catch (error) {
    throw new ReltError('store_unusable', 'The database has no extension pg_trgm, which relt needs for search.', {
      hint: 'Ask its administrator to run `create extension pg_trgm` in this database.',
      cause: error,
    })
  }
}
