import type { ReceivedTrendPoint } from '../../contract/received/cluster-report.ts'
import { drawColumns, drawNote } from '../../render/html/draw.ts'
import { html } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { parseTimestamp } from '../../util/time.ts'
import { count, number } from '../../util/words.ts'
import { type Measure, oddNotes, plottedPoints, pointColumns, trendMeasures } from '../../views/trend-points.ts'
import { lineChart } from '../chart.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

const mostRows = 100

const [scanned, ...figures] = drawColumns(Object.values(pointColumns))

/** Plots, and a table with the same data. */
export function renderTrends({ trends, run }: RunReport) {
  if (!trends.found) return missingText(trends.missing)
  const { days, points } = trends.found
  if (points.length === 0) return missingText(`The cluster has no run in the last ${count(days, 'day')}.`)
  return html`<p class="note">${count(points.length, 'run')} of the last ${count(days, 'day')}.${points.length === 1 && ' One run is no trend.'}</p>
${points.length > 1 && html`<div class="charts">${trendMeasures.map((measure) => plot(plottedPoints(points), measure))}</div>`}
${oddNotes(points).map((note) => drawNote(note))}
${table(
  [
    {
      ...scanned!,
      value: (point) =>
        html`${scanned!.value(point) ?? '-'}${point.run_id === run.run_id && run.run_id !== '' && ' (this run)'}`,
    },
    ...figures,
  ],
  points.toReversed(),
  { caption: 'Runs, the newest first', most: mostRows },
)}`
}

export function plot(points: ReceivedTrendPoint[], { title, value, ...bounds }: Measure) {
  const data = points.flatMap((point) => {
    const at = point.at === null ? undefined : parseTimestamp(point.at)
    return at === undefined ? [] : [{ at, value: value(point) }]
  })
  const known = data.filter((point) => point.value !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last)
    return html`<figure class="chart"><figcaption>${title}: n/a, no run has it.</figcaption></figure>`
  const values = known.map((point) => point.value!)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const summary = `${title} from ${number(first.value!)} to ${number(last.value!)}, between ${number(least)} and ${number(most)}. The table below has every value.`
  return lineChart(data, { title: `${title} ${number(first.value!)} → ${number(last.value!)}`, summary, ...bounds })
}
