import { sql } from 'kysely'
import { databaseOf } from '../db/kind.ts'
import type { Db } from '../db/open.ts'
import { findMeta } from './meta.ts'

const countedTables = [
  'user',
  'api_key',
  'project',
  'release',
  'subscription',
  'cluster',
  'run',
  'run_part',
  'cluster_config',
  'audit',
] as const

export type StoreCounts = Record<(typeof countedTables)[number], number>

export interface StoreFacts {
  /** Number of migrations that are done. */
  schema: number
  masterKeyId: string | null
  masterKeyPlace: string | null
  counts: StoreCounts
}

/** Throws the error of SQLite when the file is no store. */
export async function readFacts(db: Db): Promise<StoreFacts> {
  const version = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  const counts = countedTables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`)
  const counted = await sql<StoreCounts>`select ${sql.join(counts)}`.execute(db)
  return {
    schema: version.rows[0]!.user_version,
    masterKeyId: (await findMeta(db, 'master_key_id')) ?? null,
    masterKeyPlace: (await findMeta(db, 'master_key_place')) ?? null,
    counts: { ...counted.rows[0]! },
  }
}

/** A store that is read as it is may be older than its data keys. */
export async function hasDataKeyTable(db: Db): Promise<boolean> {
  return hasTable(db, 'data_key')
}

export async function hasTable(db: Db, name: string): Promise<boolean> {
  const found =
    databaseOf(db) === 'postgres'
      ? sql`select 1 where to_regclass(${name}) is not null`
      : sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
  const { rows } = await found.execute(db)
  return rows.length > 0
}

/** The manifest of a backup; a store that is in use has none. */
export async function findManifest(db: Db): Promise<string | undefined> {
  if (!(await hasTable(db, 'backup_manifest'))) return undefined
  const { rows } = await sql<{ manifest: string }>`select manifest from backup_manifest`.execute(db)
  return rows[0]?.manifest
}

export async function writeManifest(db: Db, manifest: string): Promise<void> {
  await dropManifest(db)
  await sql`create table backup_manifest (manifest text not null)`.execute(db)
  await sql`insert into backup_manifest values (${manifest})`.execute(db)
}

export async function dropManifest(db: Db): Promise<void> {
  await sql`drop table if exists backup_manifest`.execute(db)
}

/** Writes to a copy stay in its `-wal` until `makeMovable`. The caller syncs the copy. */
export async function keepWal(db: Db): Promise<void> {
  await sql`pragma synchronous = off`.execute(db)
  await sql`pragma wal_autocheckpoint = 0`.execute(db)
}

/** Makes the copy one movable file without `-wal`. The caller syncs it. */
export async function makeMovable(db: Db): Promise<void> {
  await sql`pragma synchronous = off`.execute(db)
  await sql`pragma journal_mode = delete`.execute(db)
  // Checking a large file takes a third of the time when it is mapped.
  await sql`pragma mmap_size = 2147418112`.execute(db)
}

/** Problems that SQLite finds in pages and indexes, at most ten, and rows without their parent. */
export async function findBrokenRows(db: Db): Promise<string[]> {
  const checked = await sql<{ integrity_check: string }>`pragma integrity_check(10)`.execute(db)
  const orphans = await sql<{ table: string; count: number }>`
    select "table", count(*) as count from pragma_foreign_key_check group by "table"`.execute(db)
  const incomplete = await sql<{ run_id: string }>`
    select run.run_id from run
    where not exists (select 1 from run_part where run_part.run_id = run.id and kind = 'report')
      or not exists (select 1 from run_part where run_part.run_id = run.id and kind = 'context')
      or not exists (select 1 from run_finding where run_finding.run_id = run.id) limit 10`.execute(db)
  return [
    ...checked.rows.map((row) => row.integrity_check).filter((found) => found !== 'ok'),
    ...orphans.rows.map(({ table, count }) => `${count} rows of ${table} belong to nothing`),
    ...incomplete.rows.map(({ run_id }) => `run ${run_id} is incomplete`),
  ]
}
