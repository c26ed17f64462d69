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

export function addressOf(server: TestServer, database: string): PostgresAddress {
  return { ...server, database, tls: false }
}

export async function runAsAdministrator(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
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
  return addressOf(server, name)
}

/** Empty databases of tests that have ended. Making one takes many times as long as emptying it. */
const released: PostgresAddress[] = []

/** Opens a database of its own, which begins as the template. */
export async function openTestDatabase(server: TestServer, template: string = templates.empty): Promise<Db> {
  if (template !== templates.empty) return openPostgres(await makeDatabase(server, template))
  const used = released.pop()
  const address = used ?? (await makeDatabase(server))
  const db = await openPostgres(address)
  if (used) await empty(db)
  const destroy = db.destroy.bind(db)
  let isReleased = false
  db.destroy = async () => {
    await destroy()
    if (!isReleased) released.push(address)
    isReleased = true
  }
  return db
}

/** Removes all rows but the version of the schema. Ids begin at 1 again. */
async function empty(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_version'`.execute(db)
  const deletes = rows.map(({ name }) => `delete from "${name}"`)
  const restart = `select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'`
  // Without checks of references, the order does not matter.
  const statements = ['begin', 'set local session_replication_role = replica', ...deletes, restart, 'commit']
  await sql.raw(statements.join(';')).execute(db)
}

/** Returns the name of a copy that other databases can begin as. Ends the connections to the original for it. */
export async function copyDatabase(server: TestServer, db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const { name } = rows[0]!
  await runAsAdministrator(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const copy = nameDatabase()
  await runAsAdministrator(server, `create database ${copy} template ${name}`)
  return copy
}
