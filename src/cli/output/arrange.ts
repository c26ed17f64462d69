import { ReltError } from '../../errors.ts'
import type { Column, TableOptions } from '../../render/terminal/table.ts'
import { columnKey } from './formats.ts'
import { exactIo, type Io } from './io.ts'
import type { CommandResult } from './output.ts'

type Rows<Row> = Required<Pick<CommandResult<Row>, 'rows' | 'columns'>>

/** Applies the table options to rows and columns. Throws `usage` with the titles for an unknown one. */
export function arrange<Row>(io: Io, now: number, { rows, columns }: Rows<Row>, options: TableOptions): Rows<Row> {
  const exact = columns(exactIo(io), now)
  const titles = exact.map(({ title }) => columnKey(title))
  const wanted = options.columns
    ?.split(',')
    .filter((name) => name.trim() !== '')
    .map((name) => placeFor(titles, name))
  return {
    rows: options.sortBy === undefined ? rows : sorted(rows, exact, titles, options.sortBy),
    columns: (io, now) => {
      if (!wanted) return columns(io, now)
      const all = columns(io, now)
      // Chosen columns are shown at every width, and in every format.
      return wanted.map((place) => {
        const { from: _, only: __, ...column } = all[place] ?? exact[place]!
        return column
      })
    },
  }
}

function sorted<Row>(rows: Row[], columns: Column<Row>[], titles: string[], sortBy: string) {
  const isDescending = sortBy.startsWith('-')
  const column = columns[placeFor(titles, isDescending ? sortBy.slice(1) : sortBy)]!
  const { compare } = new Intl.Collator('en', { numeric: true })
  const toText = (row: Row) => column.value(row) ?? ''
  return rows
    .map((row) => ({ row, value: toText(row) }))
    .sort((a, b) => {
      // Rows without a value sort last in both directions.
      if (a.value === '' || b.value === '') return Number(a.value === '') - Number(b.value === '')
      const order =
        isNumber(a.value) && isNumber(b.value) ? Number(a.value) - Number(b.value) : compare(a.value, b.value)
      return isDescending ? -order : order
    })
    .map(({ row }) => row)
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

function placeFor(titles: string[], name: string) {
  const place = titles.indexOf(columnKey(name.trim()))
  if (place >= 0) return place
  throw new ReltError('usage', `No column "${name.trim()}".`, { hint: `Columns: ${titles.join(', ')}.` })
}
