import type { ReceivedClusterTrend, ReceivedTrendPoint } from '../../contract/received/cluster-report.ts'
import { html, type Markup, name, time } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { number, signed } from '../../util/words.ts'
import { comparablePoints, plottedPoints, trendMeasures } from '../../views/trend-points.ts'
import { plot } from './trends.ts'

/** Larger fleets have a table alone. */
const mostPlots = 200
const [score] = trendMeasures

/** What a cluster's runs of one scanner did in a time. */
interface TrendRow {
  trend: ReceivedClusterTrend
  runs: number
  first: ReceivedTrendPoint | undefined
  last: ReceivedTrendPoint | undefined
}

/** Clusters beside each other: a table of the ends of each trend, and a plot of each score on one scale. */
export function renderFleetTrends(trends: ReceivedClusterTrend[], days: number): Markup {
  const rows = trends.map(rowOf).sort((a, b) => changeOf(a) - changeOf(b))
  const plotted = rows.filter(({ runs }) => runs > 1)
  return html`${table<TrendRow>(
    [
      { title: 'Cluster', value: ({ trend }) => name(trend.cluster_name) },
      { title: 'Environment', value: ({ trend }) => name(trend.environment) },
      { title: 'Scanner', value: ({ trend }) => trend.format ?? 'n/a' },
      { title: 'Runs', value: ({ runs }) => String(runs), align: 'right' },
      { title: 'Score', value: ({ first }) => figure(first?.score), align: 'right' },
      { title: 'Latest', value: ({ last }) => figure(last?.score), align: 'right' },
      { title: 'Change', value: (row) => changeText(row), align: 'right' },
      {
        title: 'Findings',
        value: ({ first, last }) => `${figure(first?.findings)} → ${figure(last?.findings)}`,
        align: 'right',
      },
      { title: 'Scanned', value: ({ last }) => (last?.at ? time(last.at) : 'n/a') },
    ],
    rows,
    { caption: `Trends of the last ${number(days)} days, the largest fall of the score first` },
  )}
<p class="note">A change is told only between runs with the same gaps. n/a: there is nothing to compare.</p>
${
  plotted.length > 0 &&
  html`<div class="charts">${plotted.slice(0, mostPlots).map(({ trend }) => html`<div><h3>${name(trend.cluster_name)} <small>${name(trend.environment)}</small></h3>${plot(plottedPoints(trend.points), score!)}</div>`)}</div>`
}
${plotted.length > mostPlots && html`<p class="note">${number(plotted.length - mostPlots)} more clusters are in the table alone.</p>`}`
}

function rowOf(trend: ReceivedClusterTrend): TrendRow {
  const comparable = comparablePoints(trend.points)
  const known = trend.points.filter((point) => comparable.has(point))
  return { trend, runs: trend.points.length, first: known[0], last: known.at(-1) }
}

const figure = (value: number | null | undefined): string => (value == null ? 'n/a' : number(value))

function deltaOf({ runs, first, last }: TrendRow): number | undefined {
  if (runs < 2 || first === last || first?.score == null || last?.score == null) return undefined
  return Math.round((last.score - first.score) * 10) / 10
}

function changeText(row: TrendRow): string {
  const delta = deltaOf(row)
  return delta === undefined ? 'n/a' : delta === 0 ? '0' : signed(delta)
}

const changeOf = (row: TrendRow): number => deltaOf(row) ?? 0.05
