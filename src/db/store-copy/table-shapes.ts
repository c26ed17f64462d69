import { tables } from '../schema/index.ts'
import type { ColumnType } from '../schema/table.ts'

/** A table, with the same columns in both databases. */
export interface TableShape {
  name: string
  columns: { name: string; type: ColumnType }[]
  /** Columns of the primary key. */
  key: readonly string[]
}

/** All tables except those that only one database has. */
export const tableShapes: TableShape[] = tables.map(({ name, columns, constraints }) => {
  const all = Object.entries(columns)
  return {
    name,
    columns: all.map(([column, { facts }]) => ({ name: column, type: facts.type })),
    key: constraints.primaryKey ?? all.flatMap(([column, { facts }]) => (facts.isPrimaryKey ? [column] : [])),
  }
})
