import { type RawBuilder, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { type Plans, readPlans } from '../../src/config/plans.ts'
import type { RouteAnswer, RouteName } from '../../src/contract/routes.ts'
import { databaseFor } from '../../src/db/kind.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { ReltError } from '../../src/errors.ts'
import type { Vault } from '../../src/operations/keys/vault.ts'
import type { Request } from '../../src/service/handler.ts'
import { invoke } from '../../src/service/invoke.ts'
import { getLocalUser, type User } from '../../src/store/accounts/user.ts'
import { parseTexts } from '../../src/util/json-text.ts'
import { keyLength } from '../../src/util/seal.ts'
import { openMemoryStore } from '../helpers/memory-store.ts'
import { makeVault } from '../helpers/vault.ts'
import { type Row, type ScanOptions, scan, toBytes } from '../reports/scan.ts'

/** A day after the bundled catalog's. */
export const now = Date.UTC(2026, 8, 1, 12) / 1000
export const day = 86_400

export interface Upload extends ScanOptions {
  /** Any report in place of the rows. */
  report?: unknown
  body?: object
  idempotencyKey?: string
  user?: User
}

export interface TestService {
  db: Db
  user: User
  vault: Vault
  plans: Plans
  /** Unix seconds; may be set. */
  clock: { now: number }
  call<N extends RouteName>(name: N, request?: Partial<Request>): Promise<RouteAnswer<N>>
  upload(rows: Row[], upload?: Upload): Promise<RouteAnswer<'uploadReport'>>
  /** Another account of the same store. */
  addUser(login: string): Promise<User>
}

/** Opens a store again that an earlier service of the test wrote. */
const testKey = Buffer.alloc(keyLength, 5)

/** The service on a store that has the bundled catalog already. */
export const openCatalogService = (): Promise<TestService> => openService(':memory:', onTestFinished, { catalog: true })

/** The service on a store of its own; `whenDone` is told how to close it. */
export async function openService(
  file = ':memory:',
  whenDone: (close: () => Promise<void>) => void = onTestFinished,
  store: Parameters<typeof openMemoryStore>[0] = {},
): Promise<TestService> {
  const db = await (file === ':memory:' ? openMemoryStore(store) : openDatabase(file))
  whenDone(() => db.destroy())
  const vault = await makeVault(db, testKey)
  const clock = { now }
  const local = await getLocalUser(db, now)
  const service = { db, vault: async () => vault, plans: readPlans({}), now: () => clock.now }
  const call: TestService['call'] = async (name, request) =>
    parseTexts(await invoke(service, name, { user: local, ...request }))
  return {
    db,
    user: local,
    vault,
    plans: service.plans,
    clock,
    call,
    upload: (rows, { report, body = {}, idempotencyKey, user = local, ...options } = {}) =>
      // Many tests need nothing of a report but what runs in its cluster.
      call('uploadReport', {
        body,
        report: toBytes(report ?? scan(rows, options)),
        idempotencyKey,
        user,
      }),
    addUser: async (login) => {
      const row = { login, role: 'user', plan: 'pro' } as const
      const { id } = await db
        .insertInto('user')
        .values({ ...row, email: null, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, ...row }
    },
  }
}

type Dump = Record<string, string[]>

/** Every row of every table, to see that nothing has changed; but the audit, and what is derived from other rows. */
export async function dump(db: Db): Promise<Dump> {
  const former = dumps.get(db)
  const tables = former?.tables ?? (await listTables(db)).filter((name) => name !== 'audit')
  const changes = await readChanges(db, former?.count ?? 0)
  const isUnchanged = (name: string) =>
    changes !== undefined && former?.changes !== undefined && changes.get(name) === former.changes.get(name)
  const contents = tables.map(
    async (name) => [name, isUnchanged(name) ? former!.contents[name]! : await dumpTable(db, name)] as const,
  )
  const made = {
    count: (former?.count ?? 0) + 1,
    tables,
    changes,
    contents: Object.fromEntries(await Promise.all(contents)),
  }
  dumps.set(db, made)
  return made.contents
}

interface FormerDump {
  count: number
  tables: string[]
  changes: Map<string, number> | undefined
  contents: Dump
}

const dumps = new WeakMap<Db, FormerDump>()

async function dumpTable(db: Db, name: string): Promise<string[]> {
  const where = sql.raw(original[name] ?? 'true')
  // Text: comparing 50,000 rows value by value takes seconds.
  if (databaseFor(db) === 'sqlite') {
    const columns = sql.join(await listColumns(db, name))
    const query = sql<{ row: string }>`select json_array(${columns}) as row from ${sql.table(name)} where ${where}`
    return (await query.execute(db)).rows.map(({ row }) => row)
  }
  const { rows } = await sql`select * from ${sql.table(name)} where ${where}`.execute(db)
  // An update moves a row.
  return rows.map((row) => JSON.stringify(Object.values(row as object).map(readable))).sort()
}

/** Generated ones, too. */
async function listColumns(db: Db, table: string): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_xinfo(${table}) where hidden != 1 order by cid`.execute(db)
  return rows.map(({ name, type }) => {
    const column = sql.ref(name)
    return type.toLowerCase() === 'blob' ? sql`iif(${column} is null, null, lower(hex(${column})))` : column
  })
}

async function countChanges(db: Db): Promise<void> {
  await sql`create temp table changes (name text primary key, count integer not null) without rowid`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`.execute(
    db,
  )
  for (const { name } of rows) {
    await sql`insert into temp.changes values (${name}, 0)`.execute(db)
    for (const event of ['insert', 'update', 'delete']) {
      const trigger = `create temp trigger "${name}_${event}" after ${event} on main."${name}"
        begin update changes set count = count + 1 where name = '${name}'; end`
      await sql.raw(trigger).execute(db)
    }
  }
}

/** How often each table has changed, where that is counted. */
async function readChanges(db: Db, formerDumps: number): Promise<Map<string, number> | undefined> {
  if (databaseFor(db) === 'postgres') return (await import('../helpers/postgres.ts')).readChangesOfCopy(db)
  // Most stores are dumped twice, before and after. One that is dumped often keeps count of its changes by table.
  if (formerDumps < 2) return undefined
  if (formerDumps === 2) await countChanges(db)
  const { rows } = await sql<{ name: string; count: number }>`select name, count from temp.changes`.execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Names of the store's tables, without those of SQLite's and of text search. */
async function listTables(db: Db): Promise<string[]> {
  const query =
    databaseFor(db) === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables
          where schemaname = 'public' and tablename <> 'relt_schema' order by tablename collate "C"`
      : sql<{ name: string }>`select name from sqlite_schema
          where type = 'table' and name not like 'sqlite_%' and name not like 'project_search%' order by name`
  return (await query.execute(db)).rows.map(({ name }) => name)
}

/** Figures of clusters are made when somebody asks for them. */
const original: Record<string, string> = {
  catalog_revision: 'false',
  cluster_summary: 'false',
  scanner_summary: 'false',
  scanner_change: 'false',
  run_part: "kind not in ('assessment', 'running')",
}

const readable = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)

/** The refusal of a call, as `code: message`. */
export async function refusalFor(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof ReltError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}
