import type { ReceivedClusterTrend } from '../../contract/received/cluster-report.ts'
import { drawColumns } from '../../render/html/draw.ts'
import { html, name } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { number } from '../../util/words.ts'
import { plottedPoints, trendMeasures } from '../../views/trend-points.ts'
import { trendColumns, trendRows } from '../../views/trend-rows.ts'
import { plot } from './trends.ts'

/** Larger fleets only have a table. */
const mostPlots = 200
const [score] = trendMeasures
const { cluster, environment, scanner, runs, first, score: latest, change, findings, scanned } = trendColumns
const shown = [cluster, environment, scanner, runs, first, latest, change, findings, scanned]

/** Clusters side by side: a table with the ends of each trend, and plots of the scores on one scale. */
export function renderFleetTrends(trends: ReceivedClusterTrend[], days: number) {
  const rows = trendRows(trends)
  const plotted = rows.filter((row) => row.runs > 1)
  return html`${table(drawColumns(shown), rows, {
    caption: `Trends of the last ${number(days)} days, the largest fall of the score first`,
  })}
<p class="note">A change is told only between runs with the same gaps. n/a: there is nothing to compare.</p>
${
  plotted.length > 0 &&
  html`<div class="charts">${plotted.slice(0, mostPlots).map(({ trend }) => html`<div><h3>${name(trend.cluster_name)} <small>${name(trend.environment)}</small></h3>${plot(plottedPoints(trend.points), score!)}</div>`)}</div>`
}
${plotted.length > mostPlots && html`<p class="note">${number(plotted.length - mostPlots)} more clusters are in the table alone.</p>`}`
}
