export interface ChartPoint {
  /** Unix seconds. */
  x: number
  y: number
}

interface ChartOptions {
  width: number
  height: number
  /** Values are counts, so no line of the plot is a fraction. */
  whole?: boolean
  /** Colours the line. */
  paint: (text: string) => string
}

const maxColumns = 110

/** Points over time as a line of characters, with the values at the left and the days below. Points come in order of x. */
export function renderChart(
  points: ChartPoint[],
  { width, height: maxHeight, whole = false, paint }: ChartOptions,
): string {
  const { low, high, rows: height } = boundsOf(points, maxHeight, whole)
  const labels = Array.from({ length: height }, (_, row) => formatValue(high - ((high - low) * row) / (height - 1)))
  const margin = Math.max(...labels.map((label) => label.length))
  const columns = Math.max(10, Math.min(width, maxColumns) - margin - 3)
  const heights = columnHeights(points, columns).map((y) => ((y - low) / (high - low)) * (height - 1))
  const grid = Array.from({ length: height }, () => heights.map(() => ' '))
  if (points.length > 1) drawLine(grid, heights.map(Math.round))
  for (const column of columnsOf(points, columns)) grid[height - 1 - Math.round(heights[column]!)]![column] = '●'
  const lines = grid.map((row, i) => `${labels[i]!.padStart(margin)} ┤${paint(row.join('').trimEnd())}`)
  return `${lines.join('\n')}\n${' '.repeat(margin + 1)}└${'─'.repeat(columns)}\n${' '.repeat(margin + 2)}${days(points, columns)}\n`
}

/** From the least to the most; a flat line is drawn over nothing, from 0 up. Counts get a row for a whole number each. */
function boundsOf(points: ChartPoint[], height: number, whole: boolean): { low: number; high: number; rows: number } {
  const values = points.map((point) => point.y)
  const most = Math.max(...values)
  const least = Math.min(...values)
  const low = least < most ? least : Math.min(0, most)
  const high = least < most ? most : most || 1
  if (!whole) return { low, high, rows: height }
  const step = Math.ceil((high - low) / (height - 1))
  const rows = Math.ceil((high - low) / step) + 1
  return { low, high: low + step * (rows - 1), rows }
}

/** The value at each column, straight between the points around it; of points that share a column the last counts. */
function columnHeights(points: ChartPoint[], columns: number): number[] {
  const known = new Map(columnsOf(points, columns).map((column, i) => [column, points[i]!.y]))
  const at = [...known.keys()]
  const heights: number[] = []
  let next = 0
  for (let column = 0; column < columns; column++) {
    while (next < at.length - 1 && at[next]! < column) next++
    const after = at[next]!
    const before = at[Math.max(next - 1, 0)]!
    const share = column >= after || after === before ? 1 : Math.max(0, (column - before) / (after - before))
    heights.push(known.get(before)! + (known.get(after)! - known.get(before)!) * share)
  }
  return heights
}

function columnsOf(points: ChartPoint[], columns: number): number[] {
  const first = points[0]!.x
  const span = points.at(-1)!.x - first
  return points.map(({ x }) =>
    span === 0 ? Math.floor(columns / 2) : Math.round(((x - first) / span) * (columns - 1)),
  )
}

function drawLine(grid: string[][], levels: number[]): void {
  const cell = (level: number, column: number, text: string) => {
    grid[grid.length - 1 - level]![column] = text
  }
  for (const [column, level] of levels.entries()) {
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

function formatValue(value: number): string {
  return Math.abs(value) >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1)
}

function days(points: ChartPoint[], columns: number): string {
  const day = (x: number) => new Date(x * 1000).toISOString().slice(0, 10)
  const first = day(points[0]!.x)
  const last = day(points.at(-1)!.x)
  if (first === last) return `${' '.repeat(Math.max(0, Math.floor(columns / 2) - 5))}${first}`
  return `${first}${last.padStart(columns - first.length)}`
}
