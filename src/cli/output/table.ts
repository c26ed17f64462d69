import stringWidth from 'fast-string-width'
import { type Io, plain } from './io.ts'
import { longestPart, wrapCell } from './wrap.ts'

export interface Column<T> {
  title: string
  /** Null is shown as a hyphen: nothing, or not known. */
  value: (row: T) => string | null
  /** Colours the finished cell. */
  style?: (cell: string, row: T) => string
  align?: 'left' | 'right'
  /** Columns that may lose width when the terminal is narrow, down to `min`; the others keep theirs. A long cell is wrapped. */
  min?: number
  /** A long cell is cut instead of wrapped: for texts that only describe the row. */
  cut?: boolean
  /** Left out on terminals narrower than this. */
  from?: number
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
 * A table without lines. On a terminal it fits the width: long cells are wrapped, and if it is still too wide, each row becomes
 * a block of lines.
 */
export function renderTable<T>(io: Io, all: Column<T>[], rows: T[], { headers = true } = {}): string {
  // A pipe gets uncut cells.
  const width = io.isTerminal ? io.width : Number.POSITIVE_INFINITY
  const columns = all.filter(({ only }) => only !== 'data')
  const shown = columns.filter((column) => width >= (column.from ?? 0))
  const cells = rows.map((row) => shown.map((column) => plain(column.value(row) ?? '-')))
  const titles = shown.map(({ title }) => (headers ? plain(title).toUpperCase() : ''))
  const widths = fit(shown, { titles, cells, width })
  if (!widths) return renderBlocks(io, columns, rows)
  const head = headers
    ? rowOf(
        (j) => wrapCell(titles[j]!, widths[j]!),
        () => io.color.dim,
      )
    : []
  const body = rows.flatMap((row, i) =>
    rowOf(
      (j) => linesOf(cells[i]![j]!, widths[j]!, shown[j]!),
      (j) => (text) => shown[j]!.style?.(text, row) ?? text,
    ),
  )
  return [...head, ...body].map((line) => `${line.join(' '.repeat(gap)).trimEnd()}\n`).join('')

  /** As many lines as the highest cell has. */
  function rowOf(linesOfCell: (j: number) => string[], styleOf: (j: number) => (text: string) => string): string[][] {
    const lines = shown.map((_, j) => linesOfCell(j))
    const height = Math.max(1, ...lines.map(({ length }) => length))
    return Array.from({ length: height }, (_, k) => lines.map((cell, j) => pad(styleOf(j), cell[k] ?? '', j)))
  }

  /** The space is kept out of what is styled: it can be a link. */
  function pad(style: (text: string) => string, cell: string, j: number): string {
    const space = ' '.repeat(Math.max(0, widths![j]! - stringWidth(cell)))
    const styled = cell === '' ? '' : style(cell)
    return shown[j]!.align === 'right' ? space + styled : styled + space
  }
}

function linesOf<T>(cell: string, width: number, column: Column<T>): string[] {
  if (stringWidth(cell) <= width) return [cell]
  return column.cut ? [cut(cell, width)] : wrapCell(cell, width)
}

/** A longer word may break. */
const maxWord = 24

/** The widths of the columns. Undefined when the columns, as narrow as they may be, do not fit. */
function fit<T>(
  columns: Column<T>[],
  { titles, cells, width }: { titles: string[]; cells: string[][]; width: number },
): number[] | undefined {
  const widest = (j: number, widthOf: (text: string) => number) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[j]!)), widthOf(titles[j]!))
  const natural = columns.map((_, j) => widest(j, (text) => stringWidth(text)))
  if (sumOf(natural) <= width) return natural
  const narrowest = columns.map(({ min }, j) =>
    Math.min(natural[j]!, Math.max(min ?? natural[j]!, longestPart(titles[j]!))),
  )
  if (sumOf(narrowest) > width) return undefined
  const whole = columns.map((column, j) =>
    column.cut ? narrowest[j]! : Math.max(narrowest[j]!, Math.min(maxWord, widest(j, longestPart))),
  )
  return shrink(natural, sumOf(whole) <= width ? whole : narrowest, width)
}

const sumOf = (widths: number[]): number => widths.reduce((sum, each) => sum + each + gap, -gap)

/** The widest column that may shrink gives first. */
function shrink(natural: number[], least: number[], width: number): number[] {
  const widths = [...natural]
  for (let excess = sumOf(natural) - width; excess > 0; excess--) {
    let widest = -1
    widths.forEach((each, j) => {
      if (each > least[j]! && (widest < 0 || each > widths[widest]!)) widest = j
    })
    widths[widest]!--
  }
  return widths
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

function cut(text: string, width: number): string {
  let kept = ''
  for (const letter of lettersOf(text)) {
    if (stringWidth(kept + letter) > width - 1) break
    kept += letter
  }
  return `${kept}…`
}

/** As people see them: a letter with its accents, or a family of emoji, is one. */
function lettersOf(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no table of what belongs together
  if (/^[\u0000-\u007f]*$/.test(text)) return text.split('')
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}
