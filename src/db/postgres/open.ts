import {
  type BinaryOperationNode,
  type Dialect,
  Kysely,
  type OperationNode,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type RawNode,
  sql,
  ValueListNode,
} from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { ReltError } from '../../errors.ts'
import { isDialectNode } from '../dialect.ts'
import type { TransactionalAdapter } from '../kind.ts'
import type { Tables } from '../schema/index.ts'
import { postgresDialect } from './dialect.ts'
import { PostgresDriver } from './driver.ts'
import { toStoreError } from './errors.ts'
import { migratePostgres, refuseEarlier } from './migrate.ts'
import { takeAdvisoryLocks, writeUnderLock } from './transaction.ts'

/** Address and credentials of the database. */
export interface PostgresAddress {
  host: string
  port: number
  user: string
  database: string
  /** If absent: PGPASSWORD, else the file PGPASSFILE. */
  password?: string | undefined
  /** False disables TLS. With TLS, the certificate is always verified. */
  tls: false | { ca?: string | undefined; servername?: string | undefined }
}

const poolConnections = 8
const patienceMs = 2000
const statementMs = 30_000
const oldestVersion = 15

/**
 * Opens the database and migrates it; `asIs` skips migrations and the query timeout, since no request waits. Throws
 * `store_unusable` with one sentence on the cause.
 */
export async function openPostgres(address: PostgresAddress, { asIs = false } = {}) {
  const pool = new Pool({ ...poolConfig(address), ...(asIs && { query_timeout: 0 }) })
  // A connection that closes while idle leaves the pool; the next statement opens another.
  pool.on('error', () => undefined)
  // If a connection closes in use, its statement fails too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const dialect: Dialect = {
    createDriver: () => new PostgresDriver(pool),
    createAdapter: () => new ReltPostgresAdapter(),
    createQueryCompiler: () => new DialectCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
  const db = new Kysely<Tables>({ dialect })
  try {
    const { rows } = await sql.raw<ServerFacts>(serverFacts).execute(db)
    refuseServer(rows[0]!)
    await (asIs ? refuseEarlier(db) : migratePostgres(db))
    return db
  } catch (error) {
    await pool.end().catch(() => undefined)
    throw toOpenError(error, address)
  }
}

function poolConfig({ tls, password, ...address }: PostgresAddress): PoolConfig {
  return {
    ...address,
    ...(password !== undefined && { password }),
    ssl: tls && { rejectUnauthorized: true, ...tls },
    application_name: 'relt',
    max: poolConnections,
    connectionTimeoutMillis: patienceMs,
    query_timeout: statementMs + patienceMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser: parserFor as typeof types.getTypeParser },
  }
}

const oids = { bool: 16, int8: 20, numeric: 1700 }

/** Parses values to the types that SQLite returns: counts and sums are numbers, and conditions are 0 or 1. */
function parserFor(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary') {
    if (oid === oids.bool) return (text: string) => (text === 't' ? 1 : 0)
    if (oid === oids.int8 || oid === oids.numeric) return Number
  }
  return types.getTypeParser(oid, format)
}

/** The row that `refuseServer` checks. */
const serverFacts = `select cast(current_setting('server_version_num') as bigint) as version,
  current_setting('server_encoding') as encoding,
  exists (select 1 from pg_collation where collname = 'und-x-icu') as knows_unicode`

interface ServerFacts {
  version: number
  encoding: string
  knows_unicode: number
}

/** Throws `store_unusable` for a server or database that relt does not support. */
function refuseServer({ version, encoding, knows_unicode: knowsUnicode }: ServerFacts) {
  if (version < oldestVersion * 10_000) {
    throw new ReltError('store_unusable', `The server is PostgreSQL ${Math.floor(version / 10_000)}.`, {
      hint: `Use PostgreSQL ${oldestVersion} or newer.`,
    })
  }
  if (encoding !== 'UTF8') {
    throw new ReltError('store_unusable', `The encoding of the database is ${encoding}.`, {
      hint: "Create it with `encoding 'UTF8' template template0`.",
    })
  }
  if (!knowsUnicode) {
    throw new ReltError('store_unusable', 'The server has no ICU collations, which relt needs for search.', {
      hint: 'Use a PostgreSQL that was built with ICU, as the packages of its project are.',
    })
  }
}

/**
 * Adds the database address, without its password, to the error. Returns `busy` if there is no answer: a later attempt can
 * succeed.
 */
function toOpenError(error: unknown, { host, port, database }: PostgresAddress): unknown {
  if (error instanceof ReltError && error.code !== 'busy') return error
  const known = toStoreError(error)
  const isBusy = known instanceof ReltError && known.code === 'busy'
  const cause = error instanceof ReltError ? error.cause : error
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause)
  return new ReltError(
    isBusy ? 'busy' : 'store_unusable',
    `The database ${database} on ${host}:${port} cannot be opened: ${reason}.`,
    {
      hint: isBusy
        ? 'Check that the server runs and that its address is right: RELT_DATABASE_URL or --data.'
        : 'Check RELT_DATABASE_URL, the password, and the rights of the user.',
      cause: known,
    },
  )
}

function isEmptyList(node: OperationNode) {
  return (PrimitiveValueListNode.is(node) || ValueListNode.is(node)) && node.values.length === 0
}

class ReltPostgresAdapter extends PostgresAdapter implements TransactionalAdapter {
  readonly database = 'postgres'
  readonly write = writeUnderLock
  readonly takeLocks = takeAdvisoryLocks
}

class DialectCompiler extends PostgresQueryCompiler {
  /** `in` with an empty list is false in SQLite, and an error here. */
  protected override visitBinaryOperation(node: BinaryOperationNode) {
    const operator = OperatorNode.is(node.operator) ? node.operator.operator : undefined
    if ((operator === 'in' || operator === 'not in') && isEmptyList(node.rightOperand)) {
      this.append(operator === 'in' ? 'false' : 'true')
    } else super.visitBinaryOperation(node)
  }

  protected override visitRaw(node: RawNode) {
    if (isDialectNode(node)) this.visitNode(node.toSql(postgresDialect).toOperationNode())
    else super.visitRaw(node)
  }
}
