import Table from 'cli-table3'
import stringWidth from 'fast-string-width'
import { type Io, plain } from './io.ts'

export interface Column<T> {
  title: string
  value: (row: T) => string
  /** Colours the finished cell. */
  style?: (cell: string, row: T) => string
  align?: 'left' | 'right'
  /** Where a cell that does not fit loses letters; names that end in what tells them apart lose their beginning. */
  cutAt?: 'start' | 'end'
  /** Columns that may lose width when the terminal is narrow, down to `min`; the others keep theirs. */
  min?: number
  /** Left out on terminals narrower than this. */
  from?: number
}

const gap = 2

/** A table without lines. On a terminal it fits the width; `…` stands for what does not. */
export function renderTable<T>(io: Io, columns: Column<T>[], rows: T[]): string {
  // Whoever reads through a pipe wants whole cells.
  const width = io.isTerminal ? io.width : Number.POSITIVE_INFINITY
  const shown = columns.filter((column) => width >= (column.from ?? 0))
  const cells = rows.map((row) => shown.map((column) => plain(column.value(row))))
  const widths = fit(shown, cells, width)
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
    colWidths: widths.map((width) => width + gap),
    colAligns: shown.map((column) => column.align ?? 'left'),
  })
  table.push(shown.map((column, i) => io.color.dim(cut(column.title.toUpperCase(), widths[i]!))))
  rows.forEach((row, i) => {
    table.push(
      shown.map((column, j) => {
        const cell = cut(cells[i]![j]!, widths[j]!, column.cutAt)
        return column.style ? column.style(cell, row) : cell
      }),
    )
  })
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

const borderless = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid']
    .concat(['mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((part) => [part, '']),
)

function fit<T>(columns: Column<T>[], cells: string[][], width: number): number[] {
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
    if (widest < 0) break
    natural[widest]!--
    excess--
  }
  return natural
}

export function cut(text: string, width: number, at: 'start' | 'end' = 'end'): string {
  if (stringWidth(text) <= width) return text
  const letters = at === 'end' ? [...text] : [...text].reverse()
  let kept = ''
  for (const letter of letters) {
    if (stringWidth(kept) + stringWidth(letter) > width - 1) break
    kept = at === 'end' ? kept + letter : letter + kept
  }
  return at === 'end' ? `${kept}…` : `…${kept}`
}
