import stringWidth from 'fast-string-width'
import { plain, type Terminal } from './terminal.ts'
import { longestPart, wrapCell } from './wrap.ts'

export interface Column<T> {
  title: string
  /** Null is shown as a hyphen: empty or unknown. */
  value: (row: T) => string | null
  /** Colors the finished cell. */
  style?: (cell: string, row: T) => string
  align?: 'right' | undefined
  /** Minimum width of a column that may shrink on a narrow terminal; others keep their width. Long cells are wrapped. */
  min?: number | undefined
  /** A long cell is truncated instead of wrapped: for texts that only describe the row. `path`: its first parts are dropped. */
  cut?: boolean | 'path' | undefined
  /** Hidden on terminals narrower than this, and if other columns need the width. */
  from?: number | undefined
  /** Only in tables, or only in data: `32/56` in a table is two numbers in a spreadsheet. */
  only?: 'table' | 'data'
}

/** Options that every table supports. */
export interface TableOptions {
  /** Comma-separated titles. */
  columns?: string | undefined
  /** A title; with a leading hyphen for descending order. */
  sortBy?: string | undefined
  /** False: no header, and only rows on standard output. */
  headers: boolean
}

const gap = 2

/**
 * A table without borders. On a terminal it fits the width: long cells are wrapped, then columns with `from` are omitted. If
 * words would still break, each row becomes a block of lines.
 */
export function renderTable<T>(io: Terminal, all: Column<T>[], rows: T[], { headers = true } = {}): string {
  // A pipe gets full cells.
  const width = io.isTerminal ? io.width : Number.POSITIVE_INFINITY
  const columns = all.filter(({ only }) => only !== 'data')
  const measured = columns
    .filter((column) => width >= (column.from ?? 0))
    .map((column) => measure(column, headers ? plain(column.title).toUpperCase() : '', rows))
  const fitting = fit(measured, width)
  if (!fitting) return renderBlocks(io, columns, rows)
  const { widths } = fitting
  const shown = fitting.columns
  const head = headers
    ? toRow(
        (j) => wrapCell(shown[j]!.title, widths[j]!),
        () => io.color.dim,
      )
    : []
  const body = rows.flatMap((row, i) =>
    toRow(
      (j) => toLines(shown[j]!.cells[i]!, widths[j]!, shown[j]!.column),
      (j) => (text) => shown[j]!.column.style?.(text, row) ?? text,
    ),
  )
  return [...head, ...body].map((line) => `${line.join(' '.repeat(gap)).trimEnd()}\n`).join('')

  /** As many lines as the highest cell. */
  function toRow(linesOfCell: (j: number) => string[], styleOf: (j: number) => (text: string) => string) {
    const lines = shown.map((_, j) => linesOfCell(j))
    const height = Math.max(1, ...lines.map(({ length }) => length))
    return Array.from({ length: height }, (_, k) => lines.map((cell, j) => pad(styleOf(j), cell[k] ?? '', j)))
  }

  /** Pads outside of the styled text. */
  function pad(style: (text: string) => string, cell: string, j: number) {
    const space = ' '.repeat(Math.max(0, widths[j]! - stringWidth(cell)))
    const styled = cell === '' ? '' : style(cell)
    return shown[j]!.column.align === 'right' ? space + styled : styled + space
  }
}

function toLines<T>(cell: string, width: number, column: Column<T>) {
  if (stringWidth(cell) <= width) return [cell]
  if (column.cut === 'path') return [cutPath(cell, width)]
  return column.cut ? [cut(cell, width)] : wrapCell(cell, width)
}

/** Longest word that is kept whole; a longer one may break. */
const maxWord = 24

interface Measured<T> {
  column: Column<T>
  title: string
  cells: string[]
  /** The width of the longest cell. */
  natural: number
}

function measure<T>(column: Column<T>, title: string, rows: T[]) {
  const cells = rows.map((row) => plain(column.value(row) ?? '-'))
  return { column, title, cells, natural: widest([title, ...cells], stringWidth) }
}

const widest = (texts: string[], widthOf: (text: string) => number) =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)

/** The columns that fit, and their widths. Undefined if the mandatory columns do not fit. */
function fit<T>(all: Measured<T>[], width: number) {
  const natural = all.map((each) => each.natural)
  if (sumOf(natural) <= width) return { columns: all, widths: natural }
  const columns = all.map((each) => ({ ...each, least: leastWidth(each) }))
  for (;;) {
    if (sumOf(columns.map(({ least }) => least)) <= width) return { columns, widths: shrink(columns, width) }
    const from = Math.max(...columns.map(({ column }) => column.from ?? 0))
    if (from === 0) return undefined
    columns.splice(
      columns.findLastIndex(({ column }) => column.from === from),
      1,
    )
  }
}

/** The width in which no word breaks, but at least `min`. */
function leastWidth<T>({ column: { min, cut }, title, cells, natural }: Measured<T>) {
  if (min === undefined) return natural
  const ofCells = cut ? 0 : Math.min(maxWord, widest(cells, longestPart))
  return Math.min(natural, Math.max(min, longestPart(title), ofCells))
}

const sumOf = (widths: number[]) => widths.reduce((sum, each) => sum + each + gap, -gap)

/** Narrows the widest shrinkable column first. */
function shrink(columns: { natural: number; least: number }[], width: number) {
  const widths = columns.map(({ natural }) => natural)
  for (let excess = sumOf(widths) - width; excess > 0; excess--) {
    let widest = -1
    widths.forEach((each, j) => {
      if (each > columns[j]!.least && (widest < 0 || each > widths[widest]!)) widest = j
    })
    widths[widest]!--
  }
  return widths
}

function renderBlocks<T>(io: Terminal, columns: Column<T>[], rows: T[]) {
  const indent = Math.max(...columns.map((column) => column.title.length)) + gap
  const blocks = rows.map((row) =>
    columns
      .map((column) => {
        const cell = plain(column.value(row) ?? '-')
        if (cell === '') return ''
        const styled = wrapCell(cell, io.width - indent).map((line) => column.style?.(line, row) ?? line)
        const title = io.color.dim(column.title.toUpperCase().padEnd(indent))
        return `${title}${styled.join(`\n${' '.repeat(indent)}`)}\n`
      })
      .join(''),
  )
  return blocks.map((block) => `${block}\n`).join('')
}

/** `…/redis` of an image; if that is too long, also its end is cut. */
function cutPath(text: string, width: number) {
  const [, ...parts] = text.split('/')
  const ends = parts.map((_, i) => `…/${parts.slice(i).join('/')}`)
  return ends.find((end) => stringWidth(end) <= width) ?? cut(ends.at(-1) ?? text, width)
}

function cut(text: string, width: number) {
  let kept = ''
  for (const letter of toLetters(text)) {
    if (stringWidth(kept + letter) > width - 1) break
    kept += letter
  }
  const words = /^.*\S(?=\s)/s.exec(kept)?.[0]
  // Keeps whole words, unless much of the width would stay empty.
  return `${words !== undefined && stringWidth(words) * 3 >= width * 2 ? words : kept.trimEnd()}…`
}

/** User-perceived characters: a letter with its accents, or a family emoji, is one. */
function toLetters(text: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no table of what belongs together
  if (/^[\u0000-\u007f]*$/.test(text)) return text.split('')
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}
