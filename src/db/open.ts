import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { ReltError } from '../errors.ts'
import { keepOwner } from '../util/keep-owner.ts'
import { makeFolder } from '../util/make-folder.ts'
import { hasApplicationId } from './application-id.ts'
import { isDialectNode } from './dialect.ts'
import { SqliteDriver } from './driver.ts'
import type { KnownAdapter } from './kind.ts'
import { isWithoutWal, refuseLostWal } from './lost-wal.ts'
import { isMigrated, migrate } from './migrate.ts'
import { connectReadOnly } from './read-only.ts'
import type { Tables } from './schema/index.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import { isBusy, isUnwritable, toStoreError } from './sqlite-error.ts'
import { refuseOtherThanStoreFiles } from './store-files.ts'

export type Db = Kysely<Tables>

interface OpenOptions {
  /** How long a statement waits for a lock of another process. */
  patienceMs?: number
  /** Path of the store's master key file. */
  keyFile?: string | undefined
  /** Content of a store that does not exist yet. */
  newStore?: NewStore
}

export interface NewStore {
  /** Reads a prebuilt store with the newest schema; undefined if there is none. */
  read: () => Promise<Uint8Array | undefined>
  /** Turns it into a store of its own, with at least one write. */
  settle: (db: Db) => Promise<void>
}

export const usualPatienceMs = 30_000

/** Opens or creates the store, which several processes may share. Throws `store_unusable` or `busy`. */
export async function openDatabase(
  file: string,
  { patienceMs = usualPatienceMs, keyFile, newStore }: OpenOptions = {},
): Promise<Db> {
  try {
    if (file !== ':memory:') refuseOtherThanStoreFiles(file)
    if (existsSync(file) && !hasApplicationId(file)) (await import('./earlier-store.ts')).refuseOtherFile(file)
    const isAlone = keyFile !== undefined && isWithoutWal(file)
    const bytes = newStore && !existsSync(file) ? await newStore.read() : undefined
    const isPlaced =
      bytes !== undefined && file !== ':memory:' && (await import('./place-file.ts')).placeFile(file, bytes)
    const main = file === ':memory:' ? connectInMemory(bytes) : connect(file)
    try {
      if (isAlone) refuseLostWal(main, file, keyFile)
      const openWriter = () => (file === ':memory:' ? main : connect(file))
      const db = toKysely(new SqliteDriver({ main, openWriter, patienceMs }))
      // The write creates the `-wal`: without it, a store that has no key yet would look like one that lost its WAL.
      if (isPlaced) await newStore!.settle(db)
      if (!(await isMigrated(db))) {
        if (file !== ':memory:') await (await import('./copy.ts')).copyBeforeMigration(main, file)
        // A migration that recreates a table must not cascade deletes.
        main.exec('pragma foreign_keys = off')
        await migrate(toKysely(new SqliteDriver({ main, openWriter: () => main, patienceMs })))
        main.exec('pragma foreign_keys = on')
      }
      return db
    } catch (error) {
      main.close()
      throw error
    }
  } catch (error) {
    throw translate(error, file)
  }
}

export function toKysely(driver: Driver): Db {
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => new SharedSqliteAdapter(),
    createQueryCompiler: () => new LiteralLimitCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return new Kysely<Tables>({ dialect })
}

/** The driver already serializes transactions. */
class SharedSqliteAdapter extends SqliteAdapter implements KnownAdapter {
  readonly database = 'sqlite'

  override get supportsMultipleConnections() {
    return true
  }
}

/** If the limit were a parameter, SQLite would replan a prepared statement at each run. */
class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode) {
    if (isDialectNode(node)) this.visitNode(node.toSql(sqliteDialect).toOperationNode())
    else super.visitRaw(node)
  }

  protected override visitLimit({ limit }: LimitNode) {
    if (!ValueNode.is(limit)) throw new TypeError('A limit is a number.')
    this.append('limit ')
    this.appendImmediateValue(limit.value)
  }
}

/** Rejects a dangling link, which would create a file at a path chosen by someone else. */
function createFile(file: string) {
  try {
    const handle = openSync(file, 'wx', 0o600)
    keepOwner(handle, dirname(file))
    closeSync(handle)
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(file)) throw error
  }
}

/** The bytes are not in WAL mode, which needs files. */
function connectInMemory(bytes: Uint8Array | undefined) {
  const sqlite = new DatabaseSync(':memory:')
  if (bytes) sqlite.deserialize(bytes)
  return configure(sqlite)
}

/** Opens the file, or creates it private to its owner; opens a store on a read-only disk for reading. */
function connect(file: string) {
  if (!existsSync(file)) {
    makeFolder(dirname(file))
    // Only for a new file: closing a second handle on an open store would drop SQLite's locks.
    createFile(file)
  }
  try {
    return configure(new DatabaseSync(file, { timeout: 0 }))
  } catch (error) {
    if (!isUnwritable(error) || !statSync(file).isFile()) throw error
    return connectReadOnly(file)
  }
}

function configure(sqlite: DatabaseSync) {
  try {
    enterWal(sqlite)
    // Overwrites deleted rows, so that removed names do not stay in the file.
    sqlite.exec(
      'pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16000; pragma secure_delete = on',
    )
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Changing the journal mode does not wait for locks, so this retries when several processes start at once. */
function enterWal(sqlite: DatabaseSync) {
  const deadline = Date.now() + usualPatienceMs
  for (;;) {
    try {
      if (sqlite.prepare('pragma journal_mode').get()?.journal_mode !== 'wal') {
        // Only affects a new file.
        sqlite.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal')
      }
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function translate(error: unknown, file: string): unknown {
  if (error instanceof ReltError) return error
  const known = toStoreError(error)
  if (known instanceof ReltError && known.code !== 'store_unusable') return known
  return new ReltError('store_unusable', `The store ${file} cannot be opened: ${(error as Error).message}.`, {
    hint: 'Check the file and its folder, or set RELT_HOME to another folder.',
    cause: error,
  })
}
