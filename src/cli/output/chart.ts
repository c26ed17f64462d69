import { timeTicks, valueAxis } from './chart-axes.ts'

export interface ChartPoint {
  /** Unix seconds. */
  x: number
  y: number
}

interface ChartOptions {
  width: number
  /** Maximum rows of the plot, at least 4. Fewer are drawn if no round scale needs all. */
  height: number
  /** Values are counts, so labels have no fractions. */
  whole?: boolean
  /** Points that determine both scales, for comparable charts (default: those of the chart). */
  scaledTo?: ChartPoint[]
  /** The terminal only supports ASCII. */
  isAscii?: boolean
  /** Colors the line. */
  paint: (text: string) => string
}

const maxColumns = 110

/** Draws points over time as a line of characters, with round values at the left and dates below. */
export function renderChart(points: ChartPoint[], options: ChartOptions): string {
  const { width, height, whole = false, scaledTo = points, isAscii = false, paint } = options
  const { rows, low, high, labels } = valueAxis(
    scaledTo.map(({ y }) => y),
    { height, whole },
  )
  const margin = Math.max(...labels.map((label) => label.length))
  const columns = Math.max(10, Math.min(width, maxColumns) - margin - 3)
  const times = scaledTo.map(({ x }) => x)
  const { start, end, ticks } = timeTicks(Math.min(...times), Math.max(...times), columns)
  const toColumn = (x: number) =>
    end === start ? Math.floor(columns / 2) : Math.round(((x - start) / (end - start)) * (columns - 1))
  // Other servers may send them in another order.
  const at = points.toSorted((a, b) => a.x - b.x).map(({ x, y }) => ({ column: toColumn(x), y }))
  const levels = columnHeights(at, columns).map((y) =>
    y === undefined ? undefined : Math.round(((y - low) / (high - low)) * (rows - 1)),
  )
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ' '))
  drawLine(grid, levels)
  for (const { column } of at) grid[rows - 1 - levels[column]!]![column] = '●'
  const marked = ticks.map(({ x, label }) => ({ column: toColumn(x), label }))
  const draw = (text: string) => (isAscii ? text.replace(/[^\n -~]/g, (letter) => ascii[letter] ?? '?') : text)
  const plot = grid.map((row, i) => {
    const label = labels[i]!
    return `${label.padStart(margin)} ${draw(label ? '┤' : '│')}${paint(draw(row.join('').trimEnd()))}`
  })
  const axis = Array.from({ length: columns }, (_, column) =>
    marked.some((tick) => tick.column === column) ? '┬' : '─',
  ).join('')
  return `${plot.join('\n')}\n${' '.repeat(margin + 1)}${draw(`└${axis}`)}\n${' '.repeat(margin + 2)}${dates(marked, columns)}\n`
}

const ascii: Record<string, string> = {
  '●': '*',
  '─': '-',
  '│': '|',
  '┤': '+',
  '└': '+',
  '┬': '+',
  '╭': '.',
  '╮': '.',
  '╰': "'",
  '╯': "'",
}

/**
 * The value at each column from the first point to the last, interpolated linearly. If points share a column, the last
 * counts.
 */
function columnHeights(points: { column: number; y: number }[], columns: number): (number | undefined)[] {
  const known = new Map(points.map(({ column, y }) => [column, y]))
  const at = [...known.keys()]
  let next = 0
  return Array.from({ length: columns }, (_, column) => {
    if (column < at[0]! || column > at.at(-1)!) return undefined
    while (at[next]! < column) next++
    const after = at[next]!
    const before = at[Math.max(next - 1, 0)]!
    const share = after === before ? 1 : (column - before) / (after - before)
    return known.get(before)! + (known.get(after)! - known.get(before)!) * share
  })
}

function drawLine(grid: string[][], levels: (number | undefined)[]): void {
  const cell = (level: number, column: number, text: string) => {
    grid[grid.length - 1 - level]![column] = text
  }
  for (const [column, level] of levels.entries()) {
    if (level === undefined) continue
    const previous = levels[column - 1] ?? level
    if (previous === level) {
      cell(level, column, '─')
      continue
    }
    const up = level > previous
    cell(previous, column, up ? '╯' : '╮')
    cell(level, column, up ? '╭' : '╰')
    for (let between = Math.min(level, previous) + 1; between < Math.max(level, previous); between++) {
      cell(between, column, '│')
    }
  }
}

/** Each label starts below its tick. A label that does not fit is omitted, but its tick remains. */
function dates(ticks: { column: number; label: string }[], columns: number): string {
  let line = ''
  for (const { column, label } of ticks) {
    const isFirst = line === ''
    const from = isFirst ? Math.min(column, columns - label.length) : column
    if (from < line.length + (isFirst ? 0 : 2) || from + label.length > columns) continue
    line = `${line.padEnd(from)}${label}`
  }
  return line
}
