import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'
import type { DatabaseKind } from '../kind.ts'

export type ColumnType = 'integer' | 'real' | 'text' | 'blob'

/** SQL that differs between databases. */
export type ByDatabase = Readonly<Record<DatabaseKind, string>>

type OnDelete = 'cascade' | 'set null'

interface ColumnFacts {
  type: ColumnType
  isNullable?: true
  isPrimaryKey?: true
  isUnique?: true
  /** Default value as SQL, which may differ by database. */
  default?: string | ByDatabase
  parent?: { table: DeclaredTable; onDelete: OnDelete }
  /** The database numbers the rows; `once`: numbers of deleted rows are never reused. */
  numbered?: 'again' | 'once'
  isIncompressible?: true
}

/** A column of a table. `T` is its type in a row, as Kysely declares it. */
export class DeclaredColumn<T> {
  declare readonly row: T
  readonly facts: Readonly<ColumnFacts>

  constructor(facts: ColumnFacts) {
    this.facts = facts
  }

  orNull(): DeclaredColumn<T | null> {
    return new DeclaredColumn({ ...this.facts, isNullable: true })
  }

  primaryKey(): DeclaredColumn<T> {
    return new DeclaredColumn({ ...this.facts, isPrimaryKey: true })
  }

  unique(): DeclaredColumn<T> {
    return new DeclaredColumn({ ...this.facts, isUnique: true })
  }

  /** The column may be omitted on insert. A default per database is SQL. */
  default(value: (T & (string | number)) | ByDatabase): DeclaredColumn<Generated<T>> {
    const sql = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value
    return new DeclaredColumn({
      ...this.facts,
      default: typeof sql === 'number' ? String(sql) : (sql as string | ByDatabase),
    })
  }
}

export const text = <T extends string = string>() => new DeclaredColumn<T>({ type: 'text' })
export const integer = <T extends number = number>() => new DeclaredColumn<T>({ type: 'integer' })
export const time = () => integer<UnixSeconds>()
export const real = () => new DeclaredColumn<number>({ type: 'real' })
export const blob = <T extends Uint8Array = Uint8Array>() => new DeclaredColumn<T>({ type: 'blob' })

/** Bytes that do not compress, so PostgreSQL does not try. */
export const incompressible = <T extends Uint8Array = Uint8Array>() =>
  new DeclaredColumn<T>({ type: 'blob', isIncompressible: true })

/** The primary key, which the database numbers. */
export const id = (numbered: 'again' | 'once' = 'again') =>
  new DeclaredColumn<Generated<number>>({ type: 'integer', isPrimaryKey: true, numbered })

/** A foreign key to the primary key of another table. */
export const reference = (table: DeclaredTable, onDelete: OnDelete = 'cascade') =>
  new DeclaredColumn<number>({ type: 'integer', parent: { table, onDelete } })

type Columns = Record<string, DeclaredColumn<unknown>>

/** The columns of an index; expressions are SQL. */
export type DeclaredIndex<C extends string = string> =
  | readonly C[]
  | { on: readonly C[] | string | ByDatabase; isUnique?: true; where?: string }

interface Constraints<C extends string = string> {
  primaryKey?: readonly C[]
  unique?: readonly (readonly C[])[]
  /** A foreign key to a composite primary key. Rows are deleted with their parent. */
  parent?: { columns: readonly C[]; table: DeclaredTable }
  /** A check constraint, as SQL. */
  check?: string
  indexes?: Readonly<Record<string, DeclaredIndex<C>>>
  /** SQLite stores the rows by their primary key, without a rowid. */
  isWithoutRowId?: true
}

export interface DeclaredTable<N extends string = string, C extends Columns = Columns> {
  name: N
  columns: C
  constraints: Constraints
}

/** Row type of a table, as Kysely declares it. */
export type Row<T extends DeclaredTable> = { -readonly [C in keyof T['columns']]: T['columns'][C]['row'] }

export function table<N extends string, C extends Columns>(
  name: N,
  columns: C,
  constraints: Constraints<keyof C & string> = {},
): DeclaredTable<N, C> {
  return { name, columns, constraints: constraints as Constraints }
}

/** Sorts tables so that each comes after those that it references. */
export function inOrder(tables: readonly DeclaredTable[]): DeclaredTable[] {
  const ordered = new Set<DeclaredTable>()
  const add = (table: DeclaredTable) => {
    if (ordered.has(table)) return
    for (const parent of parentsFor(table)) add(parent)
    ordered.add(table)
  }
  for (const each of tables) add(each)
  return [...ordered]
}

function parentsFor({ columns, constraints: { parent } }: DeclaredTable): DeclaredTable[] {
  const parents = Object.values(columns).flatMap(({ facts }) => facts.parent?.table ?? [])
  return parent ? [...parents, parent.table] : parents
}
