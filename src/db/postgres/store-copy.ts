import { once } from 'node:events'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { ReltError } from '../../errors.ts'
import { refuseOtherSchema } from '../migrations.ts'
import { quote, quoteAll } from '../schema/create.ts'
import type { Batch, CopySource, CopyTarget } from '../store-copy/end.ts'
import type { TableShape } from '../store-copy/table-shapes.ts'
import { copyHeader, copyTrailer, toBatches } from '../store-copy/tuples.ts'
import { type CopyConnection, connectForCopy } from './copy-connection.ts'
import { toStoreError } from './errors.ts'
import { applyStatements, findVersion } from './migrate.ts'
import { type PostgresAddress, refuseServer, serverFacts } from './open.ts'
import { sqlOfLock } from './transaction.ts'

/** Copying takes longer than requests may, and the texts of the copy are in UTF-8. */
const begin = (mode = '') => `begin ${mode}; set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local client_encoding = 'UTF8'`

/** Reads a database as of now, while others write to it. Throws `store_unusable` unless it has the newest schema. */
export async function openPostgresSource(address: PostgresAddress): Promise<CopySource> {
  return connectForCopy(address, begin('isolation level repeatable read read only'), async (connection) => {
    const name = toName(address)
    const version = await findVersion((text) => connection.client.query(text), withCapital(name))
    if (!version) {
      throw new ReltError('store_unusable', `There is no store of relt in ${name}.`, {
        hint: 'Check the name of the database.',
      })
    }
    refuseOtherSchema(version, `The store in ${name}`, 'address')
    return new PostgresSource(connection)
  })
}

/** Creates a store in an empty database, in one transaction. Throws `usage` if the database is not empty. */
export async function openPostgresTarget(address: PostgresAddress): Promise<CopyTarget> {
  return connectForCopy(address, begin(), async (connection) => {
    const { client } = connection
    const run = (text: string) => client.query(text)
    refuseServer((await run(serverFacts)).rows[0])
    const { rows } = await run(`select pg_try_advisory_xact_lock(${sqlOfLock('schema')}) as is_free`)
    if (!rows[0].is_free) {
      throw new ReltError('busy', `Another relt is using ${toName(address)}.`, { hint: 'Stop it, then try again.' })
    }
    await refuseFullDatabase(client, address)
    await applyStatements(run, 0)
    return PostgresTarget.prepare(connection)
  })
}

const toName = ({ database, host, port }: PostgresAddress) => `the database ${database} on ${host}:${port}`
const withCapital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

async function refuseFullDatabase(client: Client, address: PostgresAddress): Promise<void> {
  const { rows } = await client.query(`select relname as name from pg_class as found
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select 1 from pg_depend where objid = found.oid and deptype = 'e')
    order by relname = 'relt_schema' desc, relname limit 1`)
  if (!rows[0]) return
  const what = rows[0].name === 'relt_schema' ? 'has a store already' : `is not empty: it has ${rows[0].name}`
  throw new ReltError('usage', `${withCapital(toName(address))} ${what}.`, {
    hint: 'Name a database that was just created, before relt serves from it.',
  })
}

class PostgresSource implements CopySource {
  protected readonly client: Client
  /** Stays true if a COPY is interrupted. */
  protected isCopying = false
  readonly #end: CopyConnection['end']

  constructor({ client, end }: CopyConnection) {
    this.client = client
    this.#end = end
  }

  async countRows({ name }: TableShape): Promise<number> {
    const { rows } = await this.query(`select count(*) as count from ${quote(name)}`)
    return rows[0].count
  }

  async *readRows({ name, columns, key }: TableShape): AsyncGenerator<Batch> {
    // Removes the sign of zero, which SQLite does not store.
    const selected = columns.map((column) => `${quote(column.name)}${column.type === 'real' ? ' + 0' : ''}`)
    const select = `select ${selected.join(', ')} from ${quote(name)} order by ${quoteAll(key)}`
    const stream = this.client.query(copyTo(`copy (${select}) to stdout (format binary)`))
    // Closing the connection causes an error on a stream that is no longer read.
    stream.on('error', () => undefined)
    this.isCopying = true
    try {
      yield* toBatches(stream)
      this.isCopying = false
    } catch (error) {
      throw toStoreError(error)
    }
  }

  async readLastIds(): Promise<Map<string, bigint>> {
    const ids = new Map<string, bigint>()
    for (const { table, sequence } of await this.sequences()) {
      const { rows } = await this.query(`select cast(last_value as text) as last, is_called from ${sequence}`)
      if (rows[0].is_called) ids.set(table, BigInt(rows[0].last))
    }
    return ids
  }

  async findMeta(key: string): Promise<string | undefined> {
    const { rows } = await this.client.query('select value from meta where key = $1', [key])
    return rows[0]?.value
  }

  async close(): Promise<void> {
    await this.#end(this.isCopying)
  }

  protected async query(text: string) {
    try {
      return await this.client.query(text)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  protected async sequences(): Promise<{ table: string; column: string; sequence: string }[]> {
    const { rows } = await this.query(`select table_name as "table", column_name as "column",
        pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
      from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`)
    return rows
  }
}

interface Reference {
  table: string
  name: string
  definition: string
}

class PostgresTarget extends PostgresSource implements CopyTarget {
  readonly #tables: string[]
  readonly #references: Reference[]

  private constructor(connection: CopyConnection, tables: string[], references: Reference[]) {
    super(connection)
    this.#tables = tables
    this.#references = references
  }

  /**
   * Triggers are disabled, because rows are copied with the results of triggers. Checking references at the end takes one
   * query each.
   */
  static async prepare(connection: CopyConnection): Promise<PostgresTarget> {
    const { client } = connection
    const tables = await client.query(`select quote_ident(relname) as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'`)
    const references = await client.query(`select cast(conrelid::regclass as text) as table,
        quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f'`)
    const target = new PostgresTarget(
      connection,
      tables.rows.map(({ name }) => name),
      references.rows,
    )
    for (const { table, name } of target.#references) {
      await client.query(`alter table ${table} drop constraint ${name}`)
    }
    for (const table of target.#tables) await client.query(`alter table ${table} disable trigger user`)
    return target
  }

  async writeRows({ name, columns }: TableShape, batches: AsyncIterable<Batch>): Promise<void> {
    const names = quoteAll(columns.map((column) => column.name))
    const stream = this.client.query(copyFrom(`copy ${quote(name)} (${names}) from stdin (format binary)`))
    let refusal: unknown
    stream.on('error', (error) => {
      refusal ??= error
    })
    this.isCopying = true
    const write = async (bytes: Buffer) => {
      if (!stream.write(bytes)) await once(stream, 'drain')
    }
    try {
      await write(copyHeader)
      for await (const { tuples } of batches) await write(tuples)
      const finished = once(stream, 'finish')
      stream.end(copyTrailer)
      await finished
      this.isCopying = false
    } catch (error) {
      // After the server rejects a row, writing to the stream fails as well.
      throw toCopyError(refusal ?? error, name)
    }
  }

  async finish(lastIds: ReadonlyMap<string, bigint>): Promise<void> {
    for (const { table, column, sequence } of await this.sequences()) {
      const { rows } = await this.query(`select cast(max(${quote(column)}) as text) as highest from ${quote(table)}`)
      const [highest, last] = [BigInt(rows[0].highest ?? 0), lastIds.get(table) ?? 0n]
      const id = highest > last ? highest : last
      if (id > 0n) await this.query(`select setval('${sequence}', ${id})`)
    }
    for (const { table, name, definition } of this.#references) {
      try {
        await this.client.query(`alter table ${table} add constraint ${name} ${definition}`)
      } catch (error) {
        throw toCopyError(error, table)
      }
    }
    for (const table of this.#tables) {
      await this.query(`alter table ${table} enable trigger user`)
      // Without statistics, the first queries would be planned badly.
      await this.query(`analyze ${table}`)
    }
  }

  async publish(): Promise<void> {
    try {
      await this.client.query('commit')
    } catch (cause) {
      throw new ReltError('busy', 'The connection to the database ended before the copy was confirmed.', {
        hint: 'Look whether it is there: `relt admin verify` with its address.',
        cause,
      })
    }
  }
}

/** Rows that the source accepted and PostgreSQL rejects: without a parent, duplicate, or with NUL in a text. */
function toCopyError(error: unknown, table: string): unknown {
  const { code = '', where, detail } = error as { code?: string; where?: string; detail?: string }
  if (!/^2[23]/.test(code)) return toStoreError(error)
  const more = detail ?? where
  const message = `PostgreSQL refuses a row of ${table}: ${(error as Error).message}${more ? ` (${more})` : ''}.`
  return new ReltError('store_unusable', message, {
    hint: 'Nothing was copied. Correct the row in the source, then try again.',
    cause: error,
  })
}
