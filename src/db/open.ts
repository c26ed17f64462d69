import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type LimitNode,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
  ValueNode,
} from 'kysely'
import { ReltError } from '../errors.ts'
import { isBusy } from '../util/busy.ts'
import { makeFolder } from '../util/make-folder.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables/index.ts'

export type Db = Kysely<Tables>

const busyTimeoutMs = 30_000

/** Opens or creates the store; several processes may share one. Throws `store_unusable` or `busy`. */
export async function openDatabase(file: string): Promise<Db> {
  try {
    if (file !== ':memory:') makeFolder(dirname(file))
    // Only a new file: closing a second handle on an open store would drop SQLite's locks on it.
    if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs })
    enterWal(sqlite)
    sqlite.exec('pragma synchronous = full; pragma foreign_keys = off; pragma cache_size = -16000')
    const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(sqlite) })
    await migrate(db).catch(async (error) => {
      await db.destroy()
      throw error
    })
    // A migration that makes a table again must not cascade.
    sqlite.exec('pragma foreign_keys = on')
    return db
  } catch (error) {
    throw translate(error, file)
  }
}

/** Write transactions begin immediately: a read that becomes a write would fail when another process wrote meanwhile. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0]

  constructor(sqlite: DatabaseSync) {
    const config = {
      database: {
        close: () => sqlite.close(),
        prepare: remember((sql) => prepare(sqlite, sql)),
      },
    }
    super(config)
    this.#config = config
  }

  override createDriver() {
    return new ImmediateSqliteDriver(this.#config)
  }

  override createQueryCompiler() {
    return new LiteralLimitCompiler()
  }
}

/** With a parameter as its limit, SQLite plans a prepared statement anew each time it runs. */
class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    if (!ValueNode.is(limit)) throw new TypeError('A limit is a number.')
    this.append('limit ')
    this.appendImmediateValue(limit.value)
  }
}

function prepare(sqlite: DatabaseSync, sql: string): SqliteStatement {
  const statement = sqlite.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
  }
}

const maxStatements = 200

/** A server asks the same over and over: preparing a statement takes as long as running a small one. */
function remember(prepare: (sql: string) => SqliteStatement): (sql: string) => SqliteStatement {
  const known = new Map<string, SqliteStatement>()
  return (sql) => {
    const statement = known.get(sql) ?? prepare(sql)
    if (!known.has(sql)) {
      if (known.size >= maxStatements) known.clear()
      known.set(sql, statement)
    }
    return statement
  }
}

/** Changing the journal mode does not wait for the busy timeout, so several first starts at once need patience here. */
function enterWal(sqlite: DatabaseSync): void {
  const deadline = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      if (sqlite.prepare('pragma journal_mode').get()?.journal_mode !== 'wal') sqlite.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function translate(error: unknown, file: string): unknown {
  if (error instanceof ReltError) return error
  if (isBusy(error)) return new ReltError('busy', `The store ${file} is busy.`, { hint: 'Try again.', cause: error })
  return new ReltError('store_unusable', `The store ${file} cannot be opened: ${(error as Error).message}.`, {
    hint: 'Check the file and its folder, or set RELT_HOME to another folder.',
    cause: error,
  })
}
