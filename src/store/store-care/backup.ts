import { sql } from 'kysely'
import { databaseFor } from '../../db/kind.ts'
import { findMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'

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
  /** Version of the schema. */
  schema: number
  masterKeyId: string | null
  masterKeyPlace: string | null
  counts: StoreCounts
}

/** Throws the database's error if it is not a store. */
export async function readFacts(db: Db): Promise<StoreFacts> {
  const schema = await readSchema(db)
  const counts = countedTables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`)
  const counted = await sql<StoreCounts>`select ${sql.join(counts)}`.execute(db)
  return {
    schema,
    masterKeyId: (await findMeta(db, 'master_key_id')) ?? null,
    masterKeyPlace: (await findMeta(db, 'master_key_place')) ?? null,
    counts: { ...counted.rows[0]! },
  }
}

async function readSchema(db: Db) {
  const { rows } =
    databaseFor(db) === 'postgres'
      ? await sql<{ version: number }>`select version from relt_schema`.execute(db)
      : await sql<{ version: number }>`select user_version as version from pragma_user_version`.execute(db)
  return rows[0]!.version
}

/** The manifest of a backup; undefined for a store in use. */
export async function findManifest(db: Db) {
  if (!(await hasTable(db, 'backup_manifest'))) return undefined
  const { rows } = await sql<{ manifest: string }>`select manifest from backup_manifest`.execute(db)
  return rows[0]?.manifest
}

/** A store opened without migration may lack newer tables. */
async function hasTable(db: Db, name: string) {
  const found =
    databaseFor(db) === 'postgres'
      ? sql`select 1 where to_regclass(${name}) is not null`
      : sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
  const { rows } = await found.execute(db)
  return rows.length > 0
}

export async function writeManifest(db: Db, manifest: string) {
  await dropManifest(db)
  await sql`create table backup_manifest (manifest text not null)`.execute(db)
  await sql`insert into backup_manifest values (${manifest})`.execute(db)
}

export async function dropManifest(db: Db) {
  await sql`drop table if exists backup_manifest`.execute(db)
}

/** Turns the copy into a single movable file without `-wal`. The caller syncs it. */
export async function makeMovable(db: Db) {
  await sql`pragma synchronous = off`.execute(db)
  await sql`pragma journal_mode = delete`.execute(db)
  // Memory mapping reduces the check of a large file to a third of the time.
  await sql`pragma mmap_size = 2147418112`.execute(db)
}

/** Problems in pages and indexes of SQLite, at most ten; rows without their parent; and incomplete runs. */
export async function findBrokenRows(db: Db) {
  const incomplete = await sql<{ run_id: string }>`
    select run.run_id from run
    where not exists (select 1 from run_part where run_part.run_id = run.id and kind = 'report')
      or not exists (select 1 from run_part where run_part.run_id = run.id and kind = 'context')
      or not exists (select 1 from run_finding where run_finding.run_id = run.id) limit 10`.execute(db)
  return [
    ...(databaseFor(db) === 'postgres' ? await findPostgresOrphans(db) : await findBrokenPages(db)),
    ...incomplete.rows.map(({ run_id }) => `run ${run_id} is incomplete`),
  ]
}

async function findBrokenPages(db: Db) {
  const checked = await sql<{ integrity_check: string }>`pragma integrity_check(10)`.execute(db)
  const orphans = await sql<{ table: string; count: number }>`
    select "table", count(*) as count from pragma_foreign_key_check group by "table"`.execute(db)
  return [
    ...checked.rows.map((row) => row.integrity_check).filter((found) => found !== 'ok'),
    ...orphans.rows.map(orphaned),
  ]
}

/** PostgreSQL enforces references itself, unless an administrator disabled its triggers. */
async function findPostgresOrphans(db: Db) {
  const { rows } = await sql<{ table: string; column: string; parent: string; key: string }>`
    select child.relname as "table", own.attname as "column", parent.relname as parent, other.attname as key
    from pg_constraint as reference
    join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
    join pg_attribute as own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_attribute as other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`.execute(db)
  const problems: string[] = []
  for (const { table, column, parent, key } of rows) {
    const found = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} as child where child.${sql.ref(column)} is not null
        and not exists (select 1 from ${sql.table(parent)} as parent where parent.${sql.ref(key)} = child.${sql.ref(column)})`.execute(
      db,
    )
    const { count } = found.rows[0]!
    if (count > 0) problems.push(orphaned({ table, count }))
  }
  return problems
}

const orphaned = ({ table, count }: { table: string; count: number }) => `${count} rows of ${table} belong to nothing`
