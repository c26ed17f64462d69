import { sql } from 'kysely'
import { openDatabase } from '../open.ts'

export type ColumnType = 'integer' | 'real' | 'text' | 'blob'

/** A table of the newest schema, which is the same in both databases. */
export interface TableShape {
  name: string
  columns: { name: string; type: ColumnType }[]
  /** Columns of the primary key. */
  key: string[]
}

let shapes: Promise<TableShape[]> | undefined

/** All tables but indexes for search, as migrations make them, in no special order. */
export function readTableShapes(): Promise<TableShape[]> {
  shapes ??= readSchema()
  return shapes
}

async function readSchema(): Promise<TableShape[]> {
  const db = await openDatabase(':memory:')
  try {
    const { rows } = await sql<{ name: string; column: string; type: string; position: number }>`
      select tables.name, columns.name as "column", lower(columns.type) as type, columns.pk as position
      from pragma_table_list as tables join pragma_table_info(tables.name) as columns
      where tables.schema = 'main' and tables.type = 'table' and substr(tables.name, 1, 7) <> 'sqlite_'
      order by tables.name, columns.cid`.execute(db)
    return [...Map.groupBy(rows, ({ name }) => name)].map(([name, columns]) => ({
      name,
      columns: columns.map(({ column, type }) => ({ name: column, type: type as ColumnType })),
      key: columns
        .filter(({ position }) => position > 0)
        .sort((a, b) => a.position - b.position)
        .map(({ column }) => column),
    }))
  } finally {
    await db.destroy()
  }
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteAll = (names: string[]): string => names.map(quote).join(', ')
