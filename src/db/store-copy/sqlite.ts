import { type DatabaseSync as Database, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { makePartial, publishNew, removePartial } from '../copy.ts'
import { refuseOtherFile } from '../earlier-store.ts'
import { migrate } from '../migrate.ts'
import { refuseOtherSchema } from '../migrations.ts'
import { openFile } from '../open-file.ts'
import { connectForReading } from '../read-only.ts'
import { quote, quoteAll } from '../schema/create.ts'
import type { ColumnType } from '../schema/table.ts'
import type { Batch, CopySource, CopyTarget } from './end.ts'
import type { TableShape } from './table-shapes.ts'
import { TupleWriter, toFields } from './tuples.ts'

const patienceMs = 30_000

/** Reads a store as of now, while others write to it. Throws `store_unusable` unless it has the newest schema. */
export function openSqliteSource(file: string): CopySource {
  refuseOtherFile(file)
  const sqlite = connectForReading(file, patienceMs)
  try {
    // The snapshot starts with the first read.
    sqlite.exec('begin')
    const { user_version: version } = sqlite.prepare('pragma user_version').get()!
    refuseOtherSchema(version as number, `The store ${file}`, 'folder')
    return new SqliteSource(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

class SqliteSource implements CopySource {
  protected readonly sqlite: Database

  constructor(sqlite: Database) {
    this.sqlite = sqlite
  }

  async countRows({ name }: TableShape): Promise<number> {
    return this.sqlite.prepare(`select count(*) as count from ${quote(name)}`).get()!.count as number
  }

  async *readRows({ name, columns, key }: TableShape): AsyncGenerator<Batch> {
    const selected = columns.map((column) =>
      // As bytes, to preserve texts with NUL or invalid UTF-8.
      column.type === 'text' ? `cast(${quote(column.name)} as blob)` : quote(column.name),
    )
    const statement = this.sqlite.prepare(`select ${selected.join(', ')} from ${quote(name)} order by ${quoteAll(key)}`)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const writer = new TupleWriter()
    for (const row of statement.iterate() as unknown as Iterable<unknown[]>) {
      writer.beginRow(columns.length)
      for (const [index, column] of columns.entries()) {
        if (!addValue(writer, column.type, row[index])) throw mistyped(name, column.name)
      }
      if (writer.isFull) yield writer.take()
    }
    yield writer.take()
  }

  async readLastIds(): Promise<Map<string, bigint>> {
    const statement = this.sqlite.prepare('select name, seq from sqlite_sequence')
    statement.setReadBigInts(true)
    return new Map(statement.all().map(({ name, seq }) => [name as string, seq as bigint]))
  }

  async findMeta(key: string): Promise<string | undefined> {
    return this.sqlite.prepare('select value from meta where key = ?').get(key)?.value as string | undefined
  }

  async close(): Promise<void> {
    this.sqlite.close()
  }
}

/** Returns false if SQLite stored a value of another type than the column's. */
function addValue(writer: TupleWriter, type: ColumnType, value: unknown): boolean {
  if (value === null) writer.addNull()
  else if (type === 'integer' && typeof value === 'bigint') writer.addInteger(value)
  else if (type === 'real' && typeof value === 'number') writer.addReal(value)
  else if ((type === 'text' || type === 'blob') && value instanceof Uint8Array) writer.addBytes(value)
  else return false
  return true
}

function mistyped(table: string, column: string): ReltError {
  return new ReltError('store_unusable', `The column ${column} of ${table} has a value of another type.`, {
    hint: 'Nothing was copied. Correct the row in the source, then try again.',
  })
}

/** Creates an empty store next to its final path. Throws `usage` if a file with that path exists in the meantime. */
export async function openSqliteTarget(file: string): Promise<CopyTarget> {
  const partial = makePartial(file)
  try {
    const db = openFile(partial)
    try {
      // Only affects a new file. An unpublished copy is removed, so writes need not wait for the disk.
      await sql`pragma auto_vacuum = incremental`.execute(db)
      await sql`pragma synchronous = off`.execute(db)
      await migrate(db)
    } finally {
      await db.destroy()
    }
    return new SqliteTarget(partial, file)
  } catch (error) {
    removePartial(partial)
    throw error
  }
}

class SqliteTarget extends SqliteSource implements CopyTarget {
  readonly #partial: string
  readonly #file: string
  readonly #triggers: string[]

  constructor(partial: string, file: string) {
    super(new DatabaseSync(partial))
    this.#partial = partial
    this.#file = file
    // Node requires some journal. This one has few pages, because the file is new.
    this.sqlite.exec('pragma journal_mode = memory; pragma synchronous = off; pragma foreign_keys = off')
    this.sqlite.exec('pragma cache_size = -64000; begin')
    const triggers = this.sqlite.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all()
    this.#triggers = triggers.map((trigger) => trigger.sql as string)
    // Triggers are dropped, because rows are copied with the results of triggers.
    for (const { name } of triggers) this.sqlite.exec(`drop trigger ${quote(name as string)}`)
  }

  async writeRows({ name, columns }: TableShape, batches: AsyncIterable<Batch>): Promise<void> {
    const places = columns.map(({ type }) => (type === 'text' ? 'cast(? as text)' : '?')).join(', ')
    const names = quoteAll(columns.map((column) => column.name))
    const statement = this.sqlite.prepare(`insert into ${quote(name)} (${names}) values (${places})`)
    for await (const batch of batches) {
      for (const fields of toFields(batch)) {
        statement.run(...fields.map((field, index) => field && toParameter(columns[index]!.type, field)))
      }
    }
  }

  async finish(lastIds: ReadonlyMap<string, bigint>): Promise<void> {
    const own = this.sqlite.prepare(`select 1 from sqlite_schema where name = ? and sql like '%autoincrement%'`)
    const remove = this.sqlite.prepare('delete from sqlite_sequence where name = ?')
    const insert = this.sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
    for (const [table, id] of lastIds) {
      if (!own.get(table)) continue
      remove.run(table)
      insert.run(table, id)
    }
    this.sqlite.exec(`insert into project_search (project_search) values ('rebuild')`)
    for (const trigger of this.#triggers) this.sqlite.exec(trigger)
    const orphan = this.sqlite.prepare('select "table", parent from pragma_foreign_key_check limit 1').get()
    if (orphan) {
      throw new ReltError('store_unusable', `A row of ${orphan.table} belongs to no row of ${orphan.parent}.`, {
        hint: 'Nothing was copied. Run `relt admin verify` on the source.',
      })
    }
    this.sqlite.exec('commit')
  }

  async publish(): Promise<void> {
    this.sqlite.close()
    publishNew(this.#partial, this.#file)
  }

  override async close(): Promise<void> {
    if (this.sqlite.isOpen) this.sqlite.close()
    removePartial(this.#partial)
  }
}

function toParameter(type: ColumnType, field: Buffer): SQLInputValue {
  if (type === 'integer') return field.readBigInt64BE()
  return type === 'real' ? field.readDoubleBE() : field
}
