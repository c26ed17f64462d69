import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/db/open.ts'
import { openPostgres, type PostgresAddress } from '../../src/db/postgres/open.ts'

/** The server that the tests share; each has databases of its own. */
export interface TestServer {
  host: string
  port: number
  user: string
  password: string
}

export const templates = { empty: 'relt_empty', catalog: 'relt_catalog' }

export function toAddress(server: TestServer, database: string): PostgresAddress {
  return { ...server, database, tls: false }
}

export async function runAsAdministrator(server: TestServer, statement: string, database = 'postgres') {
  const client = new pg.Client({ ...server, database })
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(statement)).rows
  } finally {
    await client.end()
  }
}

let count = 0

function nameDatabase(): string {
  return `test_${process.pid}_${performance.now().toString(36).replace('.', '')}_${++count}`
}

/** Makes a database as a copy of a template, with the schema and maybe the bundled catalog. */
export async function makeDatabase(server: TestServer, template: string = templates.empty): Promise<PostgresAddress> {
  const name = nameDatabase()
  await runAsAdministrator(server, `create database ${name} template ${template}`)
  return toAddress(server, name)
}

/** Databases of tests that have ended, by their template. Making one takes many times as long as restoring it. */
const released = new Map<string, Db[]>()

/** Opens a database of its own, which begins as the template. A database keeps its connections for the next test. */
export async function openTestDatabase(server: TestServer, template: string = templates.empty): Promise<Db> {
  const used = released.get(template)?.pop()
  const kept = used ?? (await openPostgres(await makeDatabase(server, template)))
  if (used) await (template === templates.empty ? empty(used) : sql`select first.restore()`.execute(used))
  // Another object: what is known of a database by its object is of one test.
  const db = kept.withoutPlugins()
  let isReleased = false
  db.destroy = async () => {
    if (!isReleased) released.set(template, [...(released.get(template) ?? []), kept])
    isReleased = true
  }
  return db
}

/**
 * The address of a database that begins as the template, for tests that open it themselves. `whenDone` gets what ends the
 * use of the database; it runs after the test has closed its connections.
 */
export async function lendDatabase(
  server: TestServer,
  whenDone: (end: () => Promise<void>) => void,
  template?: string,
): Promise<PostgresAddress> {
  const db = await openTestDatabase(server, template)
  whenDone(() => db.destroy())
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  return toAddress(server, rows[0]!.name)
}

/** Removes all rows but the version of the schema. Ids begin at 1 again. */
async function empty(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'relt_schema'`.execute(db)
  const deletes = rows.map(({ name }) => `delete from "${name}"`)
  const restart = `select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'`
  // Without checks of references, the order does not matter.
  const statements = ['begin', 'set local session_replication_role = replica', ...deletes, restart, 'commit']
  await sql.raw(statements.join(';')).execute(db)
}

/**
 * Returns the name of a copy that other databases can begin as, and can be restored to. Ends the connections to the
 * original for it.
 */
export async function copyDatabase(server: TestServer, db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const { name } = rows[0]!
  await runAsAdministrator(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const copy = nameDatabase()
  await runAsAdministrator(server, `create database ${copy} template ${name}`)
  await rememberContents(server, copy)
  return copy
}

/** Lets databases that begin as this one be restored to it. */
export async function rememberContents(server: TestServer, database: string): Promise<void> {
  await runAsAdministrator(server, statementsToRemember, database)
}

/**
 * Keeps the rows of all tables in the schema `first`. From then on, a sequence in `changes` counts the statements that
 * may have changed a table: `first.restore()` fills only these tables again, and `dump` reads only these.
 */
const statementsToRemember = `
  create schema first;
  create schema changes;
  create function first.count_change() returns trigger language plpgsql as $$
    begin perform nextval(tg_argv[0]::regclass); return null; end $$;
  do $$
    declare name text;
    begin
      for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('create table first.%1$I as table public.%1$I', name);
        execute format('create sequence changes.%I', name);
        execute format('create trigger count_change after insert or update or delete or truncate on public.%I
          for each statement execute function first.count_change(%L)', name, format('changes.%I', name));
      end loop;
    end $$;
  create view first.changes as
    select relname as name, pg_sequence_last_value(oid) as count from pg_class
    where relkind = 'S' and relnamespace = 'changes'::regnamespace;
  create table first."columns of tables" as
    select attrelid::regclass::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''
    group by attrelid;
  create table first."values of sequences" as
    select oid::regclass::text as name, coalesce(pg_sequence_last_value(oid), 1) as value,
      pg_sequence_last_value(oid) is not null as is_called
    from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace;
  create function first.restore() returns void language plpgsql as $$
    declare changed record;
    begin
      -- Without checks of references, the order does not matter.
      perform set_config('session_replication_role', 'replica', true);
      for changed in
        select c.name, t.name as public_name, t.columns from first.changes c
        join first."columns of tables" t on t.name = quote_ident(c.name) where c.count is not null
      loop
        execute format('delete from public.%s', changed.public_name);
        execute format('insert into public.%1$s (%2$s) overriding system value select %2$s from first.%1$s',
          changed.public_name, changed.columns);
        perform setval(format('changes.%I', changed.name), 1, false);
      end loop;
      perform setval(name::regclass, value, is_called) from first."values of sequences";
    end $$`

/** How often each table may have changed since the copy was made; undefined for a database that does not begin as one. */
export async function readChangesOfCopy(db: Db): Promise<Map<string, number> | undefined> {
  const known = await sql<{ is_copy: number }>`select to_regclass('first.changes') is not null as is_copy`.execute(db)
  if (!known.rows[0]?.is_copy) return undefined
  const { rows } = await sql<{ name: string; count: number | null }>`select name, count from first.changes`.execute(db)
  return new Map(rows.map(({ name, count }) => [name, count ?? 0]))
}
