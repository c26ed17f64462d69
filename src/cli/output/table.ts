import stringWidth from 'fast-string-width'
import { type Io, plain } from './io.ts'
import { wrapCell } from './wrap.ts'

export interface Column<T> {
  title: string
  /** Null is shown as a hyphen: nothing, or not known. */
  value: (row: T) => string | null
  /** Colours the finished cell. */
  style?: (cell: string, row: T) => string
  align?: 'left' | 'right'
  /** End at which a long cell is cut; names with distinctive ends are cut at the start. */
  cutAt?: 'start' | 'end'
  /** Columns that may lose width when the terminal is narrow, down to `min`; the others keep theirs. */
  min?: number
  /** Left out on terminals narrower than this. */
  from?: number
  /** A long cell goes on in the next line, instead of being cut: for sentences. */
  wrap?: boolean
  /** Not for data, or only for data: `32/56` in a table is two numbers in a spreadsheet. */
  only?: 'table' | 'data'
  /** Other commands take this cell as the name of the row; else they take the first column. */
  isName?: boolean
}

/** Options of every table. */
export interface TableOptions {
  /** Titles, separated by commas. */
  columns?: string | undefined
  /** A title; with a leading hyphen in descending order. */
  sortBy?: string | undefined
  /** False: no line of titles, and only the rows on standard output. */
  headers: boolean
}

const gap = 2

/**
 * A table without lines. On a terminal it fits the width: cells are wrapped, or cut with `…`, and if that is still too wide,
 * each row becomes a block of lines.
 */
export function renderTable<T>(io: Io, all: Column<T>[], rows: T[], { headers = true } = {}): string {
  // A pipe gets uncut cells.
  const width = io.isTerminal ? io.width : Number.POSITIVE_INFINITY
  const columns = all.filter(({ only }) => only !== 'data')
  const shown = columns.filter((column) => width >= (column.from ?? 0))
  const cells = rows.map((row) => shown.map((column) => plain(column.value(row) ?? '-')))
  const widths = fit(headers ? shown : shown.map((column) => ({ ...column, title: '' })), cells, width)
  if (!widths) return renderBlocks(io, columns, rows)
  const head = shown.map((column, j) => pad(io.color.dim, cut(column.title.toUpperCase(), widths[j]!), j))
  const body = rows.flatMap((row, i) => {
    const lines = shown.map((column, j) => linesOf(cells[i]![j]!, widths[j]!, column))
    const height = Math.max(1, ...lines.map(({ length }) => length))
    return Array.from({ length: height }, (_, k) =>
      shown.map((column, j) => pad((text) => column.style?.(text, row) ?? text, lines[j]![k] ?? '', j)),
    )
  })
  return [...(headers ? [head] : []), ...body].map((line) => `${line.join(' '.repeat(gap)).trimEnd()}\n`).join('')

  /** The space is kept out of what is styled: it can be a link. */
  function pad(style: (text: string) => string, cell: string, j: number): string {
    const space = ' '.repeat(Math.max(0, widths![j]! - stringWidth(cell)))
    const styled = cell === '' ? '' : style(cell)
    return shown[j]!.align === 'right' ? space + styled : styled + space
  }
}

function linesOf<T>(cell: string, width: number, { wrap, cutAt }: Column<T>): string[] {
  if (!wrap || stringWidth(cell) <= width) return [cut(cell, width, cutAt)]
  return wrapCell(cell, width)
}

/** Undefined when the columns, as narrow as they may be, do not fit. */
function fit<T>(columns: Column<T>[], cells: string[][], width: number): number[] | undefined {
  const natural = columns.map((column, j) =>
    cells.reduce((widest, row) => Math.max(widest, stringWidth(row[j]!)), column.title.length),
  )
  let excess = natural.reduce((sum, each) => sum + each + gap, -gap) - width
  // The widest column that may shrink gives first.
  while (excess > 0) {
    let widest = -1
    columns.forEach((column, j) => {
      const mayShrink = column.min !== undefined && natural[j]! > column.min
      if (mayShrink && (widest < 0 || natural[j]! > natural[widest]!)) widest = j
    })
    if (widest < 0) return undefined
    natural[widest]!--
    excess--
  }
  return natural
}

function renderBlocks<T>(io: Io, columns: Column<T>[], rows: T[]): string {
  const indent = Math.max(...columns.map((column) => column.title.length)) + gap
  const blocks = rows.map((row) =>
    columns
      .map((column) => {
        const lines = wrapCell(plain(column.value(row) ?? '-'), io.width - indent)
        const styled = lines.map((line) => (line && column.style ? column.style(line, row) : line))
        const title = io.color.dim(column.title.toUpperCase().padEnd(indent))
        return `${(title + styled.join(`\n${' '.repeat(indent)}`)).trimEnd()}\n`
      })
      .join(''),
  )
  return blocks.join('\n')
}

export function cut(text: string, width: number, at: 'start' | 'end' = 'end'): string {
  if (stringWidth(text) <= width) return text
  const letters = lettersOf(text)
  if (at === 'start') letters.reverse()
  let kept = ''
  for (const letter of letters) {
    const next = at === 'end' ? kept + letter : letter + kept
    if (stringWidth(next) > width - 1) break
    kept = next
  }
  return at === 'end' ? `${kept}…` : `…${kept}`
}

/** As people see them: a letter with its accents, or a family of emoji, is one. */
function lettersOf(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no table of what belongs together
  if (/^[\u0000-\u007f]*$/.test(text)) return text.split('')
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}
