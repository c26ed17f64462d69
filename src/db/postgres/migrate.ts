import { type Kysely, sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { sharedMigrations } from '../migrations/index.ts'
import { writeUnderLock } from './transaction.ts'

/** In order, the SQL of each; the number of the applied ones is stored. */
export const migrations: (() => Promise<string>)[] = [
  async () => (await import('./first-schema.ts')).statements,
  ...sharedMigrations.map((load) => async () => (await load()).postgres),
]

/** Migrates the database to the newest schema, all or nothing. Of servers that start at once, one migrates. */
export async function migratePostgres<T>(db: Kysely<T>): Promise<void> {
  if ((await versionOf(db)) === migrations.length) return
  await writeUnderLock(db, 'schema', async (trx) => {
    const version = await versionOf(trx)
    if (version > migrations.length) {
      throw new ReltError('store_unusable', 'The store was written by a newer relt.', { hint: 'Update relt.' })
    }
    if (version === 0 && (await hasTables(trx))) throw belongsToOther()
    await applyMigrations((text) => sql.raw(text).execute(trx), version)
  })
}

/** Migrates from this version, in an open transaction. */
export async function applyMigrations(run: (text: string) => Promise<unknown>, version: number): Promise<void> {
  if (version === 0) await createExtension(run)
  for (const load of migrations.slice(version)) await run(await load())
  await run('create table if not exists schema_version (version bigint not null)')
  await run('delete from schema_version')
  await run(`insert into schema_version values (${migrations.length})`)
}

/** 0: relt has not been here. Throws `store_unusable` for the version table of another program. */
async function versionOf<T>(db: Kysely<T>): Promise<number> {
  // A session remembers that `to_regclass` found no table, also after another one has created it.
  const known = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname in ('schema_version', 'data_key') and pg_table_is_visible(oid)`.execute(db)
  const names = known.rows.map(({ name }) => name)
  if (!names.includes('schema_version')) return 0
  if (!names.includes('data_key')) throw belongsToOther()
  const { rows } = await sql<{ version: unknown }>`select version from schema_version`.execute(db)
  const [row] = rows
  if (typeof row?.version !== 'number') throw belongsToOther()
  return row.version
}

/** Whether the schema has tables already. Tables of extensions do not count. */
async function hasTables<T>(db: Kysely<T>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_class
    where relkind in ('r', 'p') and relnamespace = to_regnamespace(current_schema())
      and not exists (
        select 1 from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )
    limit 1`.execute(db)
  return rows.length > 0
}

const belongsToOther = () =>
  new ReltError('store_unusable', 'The database has tables of another program.', {
    hint: 'Create a database of its own for relt, and name it in RELT_DATABASE_URL.',
  })

async function createExtension(run: (text: string) => Promise<unknown>): Promise<void> {
  try {
    await run('create extension if not exists pg_trgm')
  } catch (error) {
    throw new ReltError('store_unusable', 'The database has no extension pg_trgm, which relt needs for search.', {
      hint: 'Ask its administrator to run `create extension pg_trgm` in this database.',
      cause: error,
    })
  }
}
