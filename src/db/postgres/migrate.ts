import { type Kysely, sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { sharedMigrations } from '../migrations/index.ts'
import { inPostgresTransaction } from './transaction.ts'

/** In order, the SQL of each; the number of the applied ones is stored. */
export const migrations: (() => Promise<string>)[] = [
  async () => (await import('./first-schema.ts')).statements,
  ...sharedMigrations.map((load) => async () => (await load()).postgres),
]

/** Migrates the database to the newest schema, all or nothing. Of servers that start at once, one migrates. */
export async function migratePostgres<T>(db: Kysely<T>): Promise<void> {
  if ((await versionOf(db)) === migrations.length) return
  await inPostgresTransaction(db, async (trx) => {
    const version = await versionOf(trx)
    if (version > migrations.length) {
      throw new ReltError('store_unusable', 'The store was written by a newer relt.', { hint: 'Update relt.' })
    }
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

async function versionOf<T>(db: Kysely<T>): Promise<number> {
  const known = await sql<{ name: string | null }>`
    select cast(to_regclass('schema_version') as text) as name`.execute(db)
  if (known.rows[0]!.name === null) return 0
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db)
  return rows[0]?.version ?? 0
}

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
