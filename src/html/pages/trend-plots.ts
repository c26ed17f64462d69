import type { TrendPoint } from '../../contract/cluster-report.ts'
import type { ReceivedTrendPoint } from '../../contract/received/cluster-report.ts'
import { drawNote } from '../../render/html/draw.ts'
import { html } from '../../render/html/markup.ts'
import { oddNotes, plottedPoints, toMeasures } from '../../views/trend-points.ts'
import { plot } from '../report/trends.ts'

/** Figures of runs over time. */
export function plots(points: TrendPoint[]) {
  if (points.length === 0) return html`<p>No run in this time.</p>`
  if (points.length === 1) return html`<p>One run is no trend.</p>`
  return html`<div class="charts">${toMeasures(points).map((measure) => plot(plottedPoints<ReceivedTrendPoint>(points), measure))}</div>${oddNotes(points).map((note) => drawNote(note))}`
}
