import type { DatabaseKind } from '../kind.ts'
import type { ByDatabase, ColumnType, DeclaredColumn, DeclaredIndex, DeclaredTable } from './table.ts'

/** How a database writes the parts of a table that differ. */
export interface SchemaDialect {
  database: DatabaseKind
  types: Record<ColumnType, string>
  /** SQL after the type of a primary key that the database numbers. */
  numbered: Record<'again' | 'once', string>
  /** SQL after the columns of a table. */
  tableOptions: (table: DeclaredTable) => string
}

/** The SQL of a table and its indexes. */
export function createTable(table: DeclaredTable, dialect: SchemaDialect) {
  const { name, columns, constraints } = table
  const { primaryKey, unique = [], parent, check, indexes = {} } = constraints
  const lines = [
    ...Object.entries(columns).map(([column, { facts }]) => columnLine(column, facts, dialect)),
    ...(primaryKey ? [`primary key (${quoteAll(primaryKey)})`] : []),
    ...unique.map((key) => `unique (${quoteAll(key)})`),
    ...(parent
      ? [`foreign key (${quoteAll(parent.columns)}) references ${quote(parent.table.name)} on delete cascade`]
      : []),
    ...(check ? [`check (${check})`] : []),
  ]
  return [
    `create table ${quote(name)} (\n  ${lines.join(',\n  ')}\n)${dialect.tableOptions(table)}`,
    ...Object.entries(indexes).map(([index, given]) => createIndex(index, name, given, dialect)),
  ]
}

function columnLine(
  name: string,
  facts: DeclaredColumn<unknown>['facts'],
  { database, types, numbered }: SchemaDialect,
) {
  const { parent, default: value } = facts
  return [
    quote(name),
    types[facts.type],
    facts.numbered && numbered[facts.numbered],
    facts.isPrimaryKey && !facts.numbered && 'primary key',
    !facts.isNullable && !facts.numbered && 'not null',
    facts.isUnique && 'unique',
    value !== undefined && `default ${sqlFor(value, database)}`,
    parent && `references ${quote(parent.table.name)} on delete ${parent.onDelete}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function createIndex(name: string, table: string, index: DeclaredIndex, { database }: SchemaDialect) {
  const { on, isUnique = false, where } = 'on' in index ? index : { on: index }
  const key = Array.isArray(on) ? quoteAll(on) : sqlFor(on as string | ByDatabase, database)
  return `create${isUnique ? ' unique' : ''} index ${name} on ${quote(table)} (${key})${where ? ` where ${where}` : ''}`
}

const sqlFor = (sql: string | ByDatabase, database: DatabaseKind) => (typeof sql === 'string' ? sql : sql[database])

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

export const quoteAll = (names: readonly string[]) => names.map(quote).join(', ')
