import type { ReceivedClusterTrend, ReceivedTrendPoint } from '../../../contract/received/cluster-report.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { parseTimestamp } from '../../../util/time.ts'
import { count, number } from '../../../util/words.ts'
import { markedScore } from '../../../views/score.ts'
import { titles } from '../../../views/titles.ts'
import { type Measure, plottedPoints, toMeasures } from '../../../views/trend-points.ts'
import { type ChartPoint, renderChart } from '../../output/chart.ts'
import type { Io } from '../../output/io.ts'
import { sparkline } from '../../output/sparkline.ts'

interface View {
  /** Length of the period. */
  days: number
  /** The terminal only supports ASCII. */
  isAscii: boolean
}

/** On a terminal, a plot of the score that fits its height and a table of other measures; else a plot of each measure. */
export function renderTrends(io: Io, all: ReceivedClusterTrend[], view: View): string {
  return all.map((trend) => renderTrend(io, trend, { ...view, all })).join('\n')
}

interface TrendsView extends View {
  /** Clusters whose plots share the scales. */
  all: ReceivedClusterTrend[]
}

function renderTrend(io: Io, trend: ReceivedClusterTrend, view: TrendsView): string {
  const { cluster_name, environment, format } = trend
  const points = plottedPoints(trend.points)
  const { color } = io
  const scanner = view.all.some((each) => each.format !== format) ? `, ${format}` : ''
  const [first, last] = [points[0]?.at?.slice(0, 10), points.at(-1)?.at?.slice(0, 10)]
  const span = !first || !last ? '' : first === last ? ` on ${first}` : ` from ${first} to ${last}`
  const title = `${color.bold(plain(cluster_name ?? 'Unknown cluster'))} (${plain(environment ?? '-')}${scanner}), last ${count(view.days, 'day')}: ${count(points.length, 'run')}${plain(span)}\n`
  if (points.length === 0) return title
  if (points.length === 1) return `${title}${renderOnly(io, trend)}`
  const measures = toMeasures(points)
  const checks = trend.checks ?? []
  if (!io.isTerminal) {
    const plots = measures.map((measure) =>
      renderPlot(io, points, { ...view, measure, height: heights[measure.key] ?? 4 }),
    )
    return [title, ...plots, renderRows(io, toRows(points, [], checks), view.isAscii)].join('')
  }
  const plotted = measures.find(({ value }) => points.some((point) => value(point) !== null))
  if (!plotted) return title
  const others = measures.filter((measure) => measure !== plotted)
  const rows = toRows(points, others, checks)
  const plot = renderPlot(io, points, {
    ...view,
    measure: plotted,
    height: plotHeight(io, rows.length, view.all.length),
  })
  return `${title}${plot}${renderRows(io, rows, view.isAscii)}`
}

/** Lines other than the plot and table rows: title, label, axis, header, remarks, prompt and blank lines. */
const otherRows = 11
const [leastHeight, mostHeight] = [8, 20]

/** Height of a plot. With several clusters the output scrolls anyway. */
function plotHeight({ height }: Io, tableRows: number, clusters: number): number {
  if (clusters > 1 || height === 0) return leastHeight
  return Math.min(mostHeight, Math.max(leastHeight, height - otherRows - tableRows))
}

/** The figures if there is only one run. */
function renderOnly(io: Io, { points }: ReceivedClusterTrend): string {
  const [point] = points
  const figures = toMeasures(points).flatMap(({ key, title, value }) => {
    const figure = value(point!)
    if (figure === null) return []
    return [`${title} ${key === 'score' ? markedScore(figure, point!) : number(figure)}`]
  })
  return `${figures.join(', ')}\n${io.color.dim('One run is no trend. Look further back with --days, or upload another report.')}\n`
}

/** Rows of each measure's plot without a terminal. */
const heights: Partial<Record<string, number>> = { score: 8, findings: 6 }

function renderPlot(
  io: Io,
  points: ReceivedTrendPoint[],
  { all, measure, height, isAscii }: TrendsView & { measure: Measure; height: number },
): string {
  const { key, title, value } = measure
  // A neutral color.
  const paint = io.color.cyan
  const data = chartPoints(points, value)
  if (data.length === 0) return ''
  const [first, last] = [number(data[0]!.y), number(data.at(-1)!.y)]
  if (data.length === 1) return `\n${io.color.dim(title)} ${paint(first)} ${io.color.dim('(known for one run)')}\n`
  const scaledTo = all.flatMap((trend) => chartPoints(plottedPoints(trend.points), value))
  const chart = renderChart(data, { width: io.width, height, whole: key !== 'score', scaledTo, isAscii, paint })
  return `\n${io.color.dim(title)} ${paint(`${first} ${isAscii ? '->' : '→'} ${last}`)}\n${chart}`
}

function chartPoints(points: ReceivedTrendPoint[], value: Measure['value']): ChartPoint[] {
  return points.flatMap((point) => {
    const y = value(point)
    const x = point.at === null ? undefined : parseTimestamp(point.at)
    return y === null || x === undefined ? [] : { x, y }
  })
}

interface Row {
  title: string
  values: (number | null)[]
}

function toRows(
  points: ReceivedTrendPoint[],
  measures: Measure[],
  checks: NonNullable<ReceivedClusterTrend['checks']>,
): Row[] {
  // Only a sample of the runs has findings by check.
  const opened = points.map((_, i) => checks.some(({ findings }) => findings[i] != null))
  return [
    ...measures.map(({ title, value }) => ({ title, values: points.map(value) })),
    ...checks.map(({ check_id, check_name, findings }) => ({
      title: `${check_id} ${check_name}`,
      values: findings.filter((_, i) => opened[i]),
    })),
  ].filter(({ values }) => values.some((value) => value !== null))
}

function renderRows(io: Io, rows: Row[], isAscii: boolean): string {
  if (rows.length === 0) return ''
  const columns: Column<Row>[] = [
    { title: 'Measure', value: ({ title }) => title, min: 16 },
    { title: titles.first, value: ({ values }) => shown(known(values)[0]), align: 'right' },
    { title: titles.latest, value: ({ values }) => shown(values.at(-1)), align: 'right' },
    { title: titles.trend, value: ({ values }) => sparkline(fewer(values), { isAscii, leastSpan: 1 }) },
  ]
  return `\n${renderTable(io, columns, rows)}`
}

const known = (values: (number | null)[]) => values.filter((value) => value !== null)
const shown = (value: number | null | undefined) => (value == null ? null : number(value))

const mostLetters = 24

/** The newest value, and evenly spaced earlier ones. */
function fewer(values: (number | null)[]): (number | null)[] {
  const step = Math.max(1, values.length / mostLetters)
  const many = Math.min(values.length, mostLetters)
  return Array.from({ length: many }, (_, i) => values.at(-1 - Math.floor((many - 1 - i) * step))!)
}
