import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setImmediate as giveWay } from 'node:timers/promises'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { quote, quoteAll } from '../schema/create.ts'
import { type Tables, tables } from '../schema/index.ts'
import { createStore } from './migrate.ts'
import { writeUnderLock } from './transaction.ts'

/** Limits of one insert. PostgreSQL accepts 65,535 parameters. */
const mostValues = 20_000
const mostBytes = 2 ** 20

type Values = (string | number | bigint | Uint8Array | null)[]

/**
 * Creates a store in an empty database and copies all rows of a SQLite store into it, in one transaction. `onRows` gets the
 * number of rows of a table that were just copied, and may throw. Returns the rows of each table. Throws `usage` if the
 * database is not empty, and `store_unusable` for rows that it does not accept.
 */
export function fillFromSqlite(
  db: Kysely<Tables>,
  source: DatabaseSync,
  onRows: (rows: number, table: string) => void,
) {
  return writeUnderLock(db, 'schema', async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    const copied = new Map<string, number>()
    await createStore(trx)
    for (const table of tables) {
      // Rows are copied with the results of triggers.
      await sql.raw(`alter table ${quote(table.name)} disable trigger user`).execute(trx)
      copied.set(table.name, await copyTable(trx, source, table, onRows))
    }
    for (const { name } of tables) await sql.raw(`alter table ${quote(name)} enable trigger user`).execute(trx)
    // Without statistics, the first queries would be planned badly.
    await sql.raw(`analyze ${quoteAll(tables.map(({ name }) => name))}`).execute(trx)
    return copied
  })
}

async function copyTable(
  trx: Kysely<Tables>,
  source: DatabaseSync,
  { name, columns }: (typeof tables)[number],
  onRows: (rows: number, table: string) => void,
) {
  const names = quoteAll(Object.keys(columns))
  const width = Object.keys(columns).length
  const read = source.prepare(`select ${names} from ${quote(name)}`)
  read.setReadBigInts(true)
  read.setReturnArrays(true)
  let values: Values = []
  let bytes = 0
  const flush = async () => {
    if (values.length === 0) return
    await insert(trx, { name, names, width, values })
    onRows(values.length / width, name)
    values = []
    bytes = 0
    // SQLite blocks the thread, but signals must be handled.
    await giveWay()
  }
  for (const row of read.iterate() as unknown as Iterable<Values>) {
    values.push(...row)
    for (const value of row) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
    if (values.length + width > mostValues || bytes > mostBytes) await flush()
  }
  await flush()
  await continueIds(trx, source, { name, columns })
  return countRows(trx, source, name)
}

async function insert(
  trx: Kysely<Tables>,
  { name, names, width, values }: { name: string; names: string; width: number; values: Values },
) {
  const rows = Array.from({ length: values.length / width }, (_, row) => {
    const places = Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`)
    return `(${places.join(', ')})`
  })
  try {
    await trx.executeQuery(CompiledQuery.raw(`insert into ${quote(name)} (${names}) values ${rows.join(', ')}`, values))
  } catch (error) {
    const { code = '', message, detail } = error as { code?: string; message: string; detail?: string }
    if (code !== 'invalid_param' && !/^2[23]/.test(code)) throw error
    throw new ReltError('store_unusable', `PostgreSQL refuses a row of ${name}: ${detail ?? message}`, {
      hint: 'Nothing was copied. Correct the row in the source, then try again.',
    })
  }
}

/** SQLite records the highest id ever assigned, if it may not be reused. */
async function continueIds(
  trx: Kysely<Tables>,
  source: DatabaseSync,
  { name, columns }: Pick<(typeof tables)[number], 'name' | 'columns'>,
) {
  const numbered = Object.entries(columns).find(([, { facts }]) => facts.numbered)
  if (!numbered) return
  const read = source.prepare(`select max(id) as id from (select max(${quote(numbered[0])}) as id from ${quote(name)}
    union all select seq from sqlite_sequence where name = ?) as ids`)
  read.setReadBigInts(true)
  const { id } = read.get(name as SQLInputValue) as { id: bigint | null }
  if (id === null || id < 1n) return
  await sql`select setval(pg_get_serial_sequence(${quote(name)}, ${numbered[0]}), ${id})`.execute(trx)
}

async function countRows(trx: Kysely<Tables>, source: DatabaseSync, name: string) {
  const text = `select count(*) as count from ${quote(name)}`
  const { count: wanted } = source.prepare(text).get() as { count: number }
  const { rows } = await sql.raw<{ count: number }>(text).execute(trx)
  if (rows[0]!.count === wanted) return wanted
  throw new ReltError('store_unusable', `The copy of ${name} has ${rows[0]!.count} of ${wanted} rows.`, {
    hint: 'Nothing was copied. Run `relt admin verify` on the source.',
  })
}
