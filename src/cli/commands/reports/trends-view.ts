import type { ReceivedClusterTrend, ReceivedTrendPoint } from '../../../contract/received/cluster-report.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { andMore, count, number } from '../../../util/words.ts'
import { scannerName } from '../../../views/scanners.ts'
import { markedScore } from '../../../views/score.ts'
import { titles } from '../../../views/titles.ts'
import { plottedPoints, toMeasures } from '../../../views/trend-points.ts'
import type { Io } from '../../output/io.ts'
import { member } from '../../output/output.ts'
import { sparkline } from '../../output/sparkline.ts'

interface View {
  /** Length of the period. */
  days: number
  /** The terminal only supports ASCII. */
  isAscii: boolean
}

/** A table of measures for each scanner. */
export function renderTrends(io: Io, all: ReceivedClusterTrend[], view: View) {
  const shown = all.slice(0, mostShown).map((trend) => renderTrend(io, trend, { ...view, hasScanners: all.length > 1 }))
  const more = all.length - shown.length
  return `${shown.join('\n')}${more > 0 ? `\n${andMore(more)}: --json\n` : ''}`
}

const mostShown = 5

function renderTrend(
  io: Io,
  trend: ReceivedClusterTrend,
  { days, isAscii, hasScanners }: View & { hasScanners: boolean },
) {
  const { cluster_name, environment, format, subject, checks = [] } = trend
  const points = plottedPoints(trend.points)
  const scanner = hasScanners && format ? `, ${scannerName({ format, subject })}` : ''
  const [first, last] = [points[0]?.at?.slice(0, 10), points.at(-1)?.at?.slice(0, 10)]
  const span = !first || !last ? '' : first === last ? ` on ${first}` : ` from ${first} to ${last}`
  const title = `${io.color.bold(plain(cluster_name ?? 'Unknown cluster'))} (${plain(environment ?? '-')}${scanner}), last ${count(days, 'day')}: ${count(points.length, 'run')}${plain(span)}\n`
  if (points.length === 0) return title
  if (points.length === 1) return `${title}${renderOnly(io, trend)}`
  const rows = toRows(points, checks)
  return rows.length === 0 ? title : `${title}${renderTable(io, columns(isAscii), rows)}`
}

/** The figures if there is only one run. */
function renderOnly(io: Io, { points }: ReceivedClusterTrend) {
  const [point] = points
  const figures = toMeasures(points).flatMap(({ key, title, value }) => {
    const figure = value(point!)
    if (figure === null) return []
    return [`${title} ${key === 'score' ? markedScore(figure, point!) : number(figure)}`]
  })
  return `${figures.join(', ')}\n${io.color.dim('One run is no trend. Look further back with --days, or upload another report.')}\n`
}

interface Row {
  title: string
  values: (number | null)[]
  /** Least difference that a sparkline draws at its full height. */
  leastSpan?: number
}

function toRows(points: ReceivedTrendPoint[], checks: NonNullable<ReceivedClusterTrend['checks']>) {
  // Only a sample of the runs has findings by check.
  const opened = points.map((_, i) => checks.some(({ findings }) => findings[i] != null))
  return [
    ...toMeasures(points).map(({ key, title, value }) => ({
      title,
      values: points.map(value),
      ...(key !== 'score' && { leastSpan: 1 }),
    })),
    ...checks.map(({ check_id, check_name, findings }) => ({
      title: `${check_id} ${check_name}`,
      values: findings.filter((_, i) => opened[i]),
      leastSpan: 1,
    })),
  ].filter(({ values }) => values.some((value) => value !== null))
}

const columns = (isAscii: boolean): Column<Row>[] => [
  { title: 'Measure', value: member('title'), min: 16 },
  { title: titles.first, value: ({ values }) => shown(values.find((value) => value !== null)), align: 'right' },
  { title: titles.latest, value: ({ values }) => shown(values.at(-1)), align: 'right' },
  {
    title: titles.trend,
    value: ({ values, leastSpan }) => sparkline(fewer(values), { isAscii, ...(leastSpan && { leastSpan }) }),
  },
]

const shown = (value: number | null | undefined) => (value == null ? null : number(value))

const mostLetters = 24

/** The newest value, and evenly spaced earlier ones. */
function fewer(values: (number | null)[]) {
  const step = Math.max(1, values.length / mostLetters)
  const many = Math.min(values.length, mostLetters)
  return Array.from({ length: many }, (_, i) => values.at(-1 - Math.floor((many - 1 - i) * step))!)
}
