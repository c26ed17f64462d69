import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { openMemoryStore } from '../../helpers/memory-store.ts'
import { openTestDatabase } from '../../helpers/postgres.ts'

const server = inject('postgres')

type Schema = Record<string, { columns: Record<string, string>; keys: string[]; parents: string[] }>

/** Types as PostgreSQL names them; `?` marks columns that can be null. */
const types: Record<string, string> = {
  integer: 'bigint',
  text: 'text',
  real: 'double precision',
  blob: 'bytea',
}

async function sqliteSchema(db: Db): Promise<Schema> {
  const { rows: tables } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'
    and name not like 'sqlite_%' and name not like 'project_search%' order by name`.execute(db)
  const schema: Schema = {}
  for (const { name } of tables) {
    const { rows: columns } = await sql<{ name: string; type: string; notnull: number; pk: number }>`
      select name, type, "notnull", pk from pragma_table_info(${name})`.execute(db)
    const { rows: indexes } = await sql<{ columns: string }>`
      select (select group_concat(coalesce(name, '()'), ',' order by seqno) from pragma_index_info(list.name)) as columns
      from pragma_index_list(${name}) as list where "unique" = 1`.execute(db)
    const { rows: parents } = await sql<{ parent: string }>`
      select "from" || ' ' || "table" || ' ' || lower(on_delete) as parent from pragma_foreign_key_list(${name})`.execute(
      db,
    )
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    schema[name] = {
      columns: Object.fromEntries(
        columns.map(({ name: column, type, notnull, pk }) => [
          column,
          `${types[type.toLowerCase()]}${notnull || pk ? '' : '?'}`,
        ]),
      ),
      keys: unique([...indexes.map((index) => index.columns), primary.map(({ name: column }) => column).join(',')]),
      parents: unique(parents.map(({ parent }) => parent)),
    }
  }
  return schema
}

/** Limits of a single server are in its memory, so SQLite has no table for them. */
async function postgresSchema(db: Db): Promise<Schema> {
  const { rows: columns } = await sql<{ name: string; column: string; type: string; can_be_null: string }>`
    select table_name as name, column_name as column, data_type as type, is_nullable as can_be_null
    from information_schema.columns where table_schema = 'public' and table_name <> 'relt_schema'
    order by table_name collate "C", ordinal_position`.execute(db)
  const { rows: keys } = await sql<{ name: string; columns: string }>`
    select cast(i.indrelid as regclass)::text as name, (
      select string_agg(coalesce(a.attname::text, '()'), ',' order by key.position)
      from unnest(i.indkey) with ordinality as key(attnum, position)
      left join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = key.attnum and key.attnum > 0) as columns
    from pg_index as i join pg_class as c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace`.execute(db)
  const { rows: parents } = await sql<{ name: string; parent: string }>`
    select conrelid::regclass::text as name, attname::text || ' ' || trim('"' from confrelid::regclass::text) || ' '
      || case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no action' end as parent
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey) where contype = 'f'`.execute(
    db,
  )
  const schema: Schema = {}
  for (const { name, column, type, can_be_null } of columns) {
    schema[name] ??= { columns: {}, keys: [], parents: [] }
    schema[name].columns[column] = `${type}${can_be_null === 'YES' ? '?' : ''}`
  }
  const bare = (name: string) => name.replaceAll('"', '')
  for (const { name, columns: key } of keys) schema[bare(name)]?.keys.push(key)
  for (const { name, parent } of parents) schema[bare(name)]?.parents.push(parent)
  for (const table of Object.values(schema)) {
    table.keys = unique(table.keys)
    table.parents = unique(table.parents)
  }
  return schema
}

const unique = (values: string[]) => [...new Set(values)].filter((value) => value !== '').sort()

test.skipIf(!server)('both databases have the same tables, columns, keys and references', async () => {
  const sqlite = await openMemoryStore({ database: 'sqlite' })
  onTestFinished(() => sqlite.destroy())
  const postgres = await openTestDatabase(server!)
  onTestFinished(() => postgres.destroy())
  expect(await postgresSchema(postgres)).toEqual(await sqliteSchema(sqlite))
})

test.skipIf(!server)('texts sort by code point', async () => {
  const db = await openTestDatabase(server!)
  onTestFinished(() => db.destroy())
  const { rows } = await sql`select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`.execute(db)
  expect(rows).toEqual([])
})
