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

export async function openTestDatabase(server: TestServer, template?: string): Promise<Db> {
  return openPostgres(await makeDatabase(server, template))
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
