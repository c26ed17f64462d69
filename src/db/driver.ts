import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { isBusy, toStoreError } from './sqlite-error.ts'

export interface SqliteConnections {
  /** Connection for statements outside transactions. */
  main: DatabaseSync
  /** Opens the connection for transactions, lazily; `main` itself for an in-memory store. */
  openWriter: () => DatabaseSync
  /** How long a statement or transaction waits for a lock of another connection. */
  patienceMs: number
}

/**
 * Two connections to one SQLite file: transactions run in turn on one, so reads on the other never wait for them. Waits for
 * locks of other processes between attempts, never inside SQLite, so the event loop stays free.
 */
export class SqliteDriver implements Driver {
  readonly #patienceMs: number
  readonly #main: Session
  readonly #openWriter: () => Session
  #writer: Session | undefined
  #lastTurn: Promise<void> = Promise.resolve()

  constructor({ main, openWriter, patienceMs }: SqliteConnections) {
    this.#patienceMs = patienceMs
    this.#main = new Session(main)
    this.#openWriter = () => {
      const sqlite = openWriter()
      return sqlite === main ? this.#main : new Session(sqlite)
    }
  }

  async init() {}

  async acquireConnection() {
    return new Connection((query) => this.#executeAlone(query))
  }

  /** `begin immediate`: a read that is upgraded to a write would fail if another process wrote in between. */
  async beginTransaction(connection: Connection) {
    const deadline = performance.now() + this.#patienceMs
    const endTurn = await this.#takeTurn()
    try {
      this.#writer ??= this.#openWriter()
      const writer = this.#writer
      await whileBusy(() => writer.sqlite.exec('begin immediate'), deadline)
      connection.enter(writer, endTurn)
    } catch (error) {
      endTurn()
      throw toStoreError(error)
    }
  }

  async commitTransaction(connection: Connection) {
    connection.end('commit')
  }

  async rollbackTransaction(connection: Connection) {
    connection.end('rollback')
  }

  async releaseConnection(connection: Connection) {
    connection.leave()
  }

  async destroy() {
    if (this.#writer && this.#writer !== this.#main) this.#writer.sqlite.close()
    this.#main.sqlite.close()
  }

  async #executeAlone(query: CompiledQuery) {
    // An in-memory store has one connection: a single statement would join the open transaction.
    if (this.#writer !== this.#main) return this.#attempt(query)
    const endTurn = await this.#takeTurn()
    try {
      return await this.#attempt(query)
    } finally {
      endTurn()
    }
  }

  async #attempt(query: CompiledQuery) {
    try {
      return await whileBusy(() => this.#main.execute(query), performance.now() + this.#patienceMs)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  async #takeTurn() {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#lastTurn
    this.#lastTurn = promise
    await before
    return resolve
  }
}

/** A connection for Kysely: runs single statements on the main connection, until a transaction begins. */
class Connection implements DatabaseConnection {
  readonly #executeAlone: (query: CompiledQuery) => Promise<QueryResult<never>>
  #session: Session | undefined
  #endTurn: (() => void) | undefined

  constructor(executeAlone: (query: CompiledQuery) => Promise<QueryResult<never>>) {
    this.#executeAlone = executeAlone
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#session) return this.#executeAlone(query)
    try {
      return this.#session.execute(query)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here streams, and Kysely asks for the method
  async *streamQuery() {
    throw new TypeError('The store does not stream.')
  }

  enter(session: Session, endTurn: () => void) {
    this.#session = session
    this.#endTurn = endTurn
  }

  /** After some errors SQLite has already rolled back. */
  end(how: 'commit' | 'rollback') {
    const { sqlite } = this.#session!
    if (how === 'rollback' && !sqlite.isTransaction) return
    try {
      sqlite.exec(how)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  leave() {
    if (this.#session?.sqlite.isTransaction) this.#session.sqlite.exec('rollback')
    this.#session = undefined
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}

const maxStatements = 200

/** A SQLite connection with cached prepared statements: preparing one takes as long as running a small one. */
class Session {
  readonly sqlite: DatabaseSync
  readonly #statements = new Map<string, { statement: StatementSync; isReader: boolean }>()

  constructor(sqlite: DatabaseSync) {
    this.sqlite = sqlite
  }

  execute({ sql, parameters }: CompiledQuery) {
    const { statement, isReader } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (isReader) return { rows: statement.all(...values) as never[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  #prepare(sql: string) {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.sqlite.prepare(sql)
    // A pragma without columns may still work in steps, and `run` executes only one.
    const isReader = statement.columns().length > 0 || sql.startsWith('pragma ')
    const prepared = { statement, isReader }
    if (this.#statements.size >= maxStatements) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** Retries with pauses of up to 50 ms, until the deadline (of `performance.now`). */
async function whileBusy<T>(attempt: () => T, deadline: number) {
  for (let pauseMs = 1; ; pauseMs = Math.min(50, pauseMs * 2)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await wait(pauseMs * (0.5 + Math.random()))
  }
}
