import type { ReceivedTrendPoint } from '../../contract/received/cluster-report.ts'
import { html, type Markup, time } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { parseTimestamp } from '../../util/time.ts'
import { count, number } from '../../util/words.ts'
import { gapNote, markedScore } from '../../views/score.ts'
import { oddPointsText, plottedPoints } from '../../views/trend-points.ts'
import { type HtmlChartPoint, lineChart } from '../chart.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

export interface Measure {
  title: string
  value: (point: ReceivedTrendPoint) => number | null
  from?: number
  to?: number
}

export const trendMeasures: Measure[] = [
  { title: 'Score', value: ({ score }) => score, from: 0, to: 100 },
  { title: 'Findings', value: ({ findings }) => findings, from: 0 },
  { title: 'Failed checks', value: ({ failed_checks }) => failed_checks, from: 0 },
]

const mostRows = 100

/** Plots, and a table that says the same. */
export function renderTrends({ trends, run }: RunReport): Markup {
  if (!trends.found) return missingText(trends.missing)
  const { days, points } = trends.found
  if (points.length === 0) return missingText(`The cluster has no run in the last ${count(days, 'day')}.`)
  const newest = [...points].reverse()
  return html`<p class="note">${count(points.length, 'run')} of the last ${count(days, 'day')}.${points.length === 1 && ' One run is no trend.'}</p>
${points.length > 1 && html`<div class="charts">${trendMeasures.map((measure) => plot(plottedPoints(points), measure))}</div>`}
${oddNote(points)}
${table(
  [
    {
      title: 'Scan',
      value: (point) => html`${time(point.at)}${point.run_id === run.run_id && run.run_id !== '' && ' (this run)'}`,
    },
    { title: 'Score', value: (point) => markedScore(point.score, point) ?? 'n/a', align: 'right' },
    { title: 'Findings', value: ({ findings }) => figure(findings), align: 'right' },
    { title: 'Failed checks', value: ({ failed_checks }) => figure(failed_checks), align: 'right' },
    { title: 'Did not run', value: ({ not_run_checks }) => figure(not_run_checks ?? null), align: 'right' },
  ],
  newest,
  { caption: 'Runs, the newest first', most: mostRows },
)}`
}

/** Why a chart lacks runs that the table has. */
export function oddNote(points: ReceivedTrendPoint[]): Markup | false {
  const text = oddPointsText(points)
  return text !== undefined && html`<p class="warn">${text}. ${gapNote}</p>`
}

const figure = (value: number | null): string => (value === null ? 'n/a' : number(value))

export function plot(points: ReceivedTrendPoint[], { title, value, ...bounds }: Measure): Markup {
  const data = points.flatMap((point): HtmlChartPoint[] => {
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
