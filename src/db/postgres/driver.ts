import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { isLost, toStoreError } from './errors.ts'

const statementSeconds = 30

/**
 * Runs statements and transactions over a pool. Keeps no state on the server beyond a transaction, such as session settings,
 * named statements or session locks, so PgBouncer may be used in transaction mode.
 */
export class PostgresDriver implements Driver {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init() {}

  async acquireConnection() {
    try {
      return new PostgresConnection(await this.#pool.connect())
    } catch (error) {
      throw toStoreError(error)
    }
  }

  async beginTransaction(connection: PostgresConnection) {
    await connection.control(`begin; set local statement_timeout = '${statementSeconds}s'`)
  }

  async commitTransaction(connection: PostgresConnection) {
    await connection.commit()
  }

  async rollbackTransaction(connection: PostgresConnection) {
    await connection.control('rollback').catch(() => undefined)
  }

  async releaseConnection(connection: PostgresConnection) {
    connection.release()
  }

  async destroy() {
    await this.#pool.end()
  }
}

export class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient
  #isBroken = false

  constructor(client: PoolClient) {
    this.#client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount, command } = await this.#attempt(() => this.#client.query(sql, withoutNul(sql, parameters)))
    const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }

  async control(sql: string) {
    await this.#attempt(() => this.#client.query(sql))
  }

  /** If the connection ends during a commit, its outcome is unknown: the transaction must not be retried. */
  async commit() {
    try {
      const { command } = await this.#client.query('commit')
      if (command === 'ROLLBACK') throw new Error('The transaction was rolled back.')
    } catch (error) {
      this.#isBroken = true
      throw new UnknownOutcome(error)
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here streams, and Kysely asks for the method
  async *streamQuery() {
    throw new TypeError('The store does not stream.')
  }

  release() {
    this.#client.release(this.#isBroken)
  }

  async #attempt<T>(work: () => Promise<T>) {
    try {
      return await work()
    } catch (error) {
      // After a timeout, the statement may still be running on the connection.
      if (isLost(error) || /^Query read timeout/.test((error as Error).message)) this.#isBroken = true
      throw toStoreError(error)
    }
  }
}

/**
 * PostgreSQL rejects texts with NUL. Stored texts have none, so a condition with one must match nothing, as in SQLite: it
 * becomes U+FFFF, which no text contains. Values to store are left for PostgreSQL to reject.
 */
function withoutNul(sql: string, parameters: readonly unknown[]) {
  if (!parameters.some((value) => typeof value === 'string' && value.includes('\0'))) return parameters as unknown[]
  const first = firstCondition(sql)
  return parameters.map((value, index) =>
    typeof value === 'string' && index + 1 >= first ? value.replaceAll('\0', '\uffff') : value,
  )
}

/** Index of the first parameter that is part of a condition rather than a value to store. */
function firstCondition(sql: string) {
  if (/^(?:select|delete)\b/.test(sql)) return 1
  const place = sql.startsWith('update') ? sql.indexOf(' where ') : -1
  return place < 0
    ? Number.POSITIVE_INFINITY
    : Number(/\$(\d+)/.exec(sql.slice(place))?.[1] ?? Number.POSITIVE_INFINITY)
}

/** The connection ended during a commit, so its outcome is unknown. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('The connection to the database ended during a commit.', { cause })
  }
}
