import { clean, html } from '../render/html/markup.ts'
import { formatDay } from '../util/time.ts'
import { count, number } from '../util/words.ts'

export interface HtmlChartPoint {
  /** Unix seconds. */
  at: number
  /** Null if unknown. */
  value: number | null
}

interface ChartOptions {
  title: string
  /** Text alternative: the content of the chart in one sentence. */
  summary: string
  /** Fixed limits of the scale, if the measure has any. */
  from?: number
  to?: number
}

const width = 600
const height = 120

/**
 * A line over time. The drawing stretches to its container, so it contains no text: scale and days are around it. A gap in
 * the line is an unknown value.
 */
export function lineChart(points: HtmlChartPoint[], { title, summary, from, to }: ChartOptions) {
  const values = points.flatMap(({ value }) => value ?? [])
  const least = Math.min(...values, from ?? Number.POSITIVE_INFINITY)
  const most = Math.max(...values, to ?? Number.NEGATIVE_INFINITY)
  const [first, last] = [points[0]!.at, points.at(-1)!.at]
  const x = (at: number) => round(last === first ? width / 2 : ((at - first) / (last - first)) * width)
  const y = (value: number) => round(most === least ? height / 2 : height - ((value - least) / (most - least)) * height)
  const line = points
    .map(({ at, value }, i) => {
      if (value === null) return ''
      const begins = i === 0 || points[i - 1]!.value === null
      // A line to its own start draws a dot, which makes a single point visible.
      return `${begins ? `M${x(at)} ${y(value)}` : ''}L${x(at)} ${y(value)}`
    })
    .join('')
  const dots = points.flatMap(({ at, value }) => (value === null ? [] : [`M${x(at)} ${y(value)}h0`])).join('')
  return html`<figure class="chart">
<figcaption>${title}</figcaption>
<div class="plot"><span class="most">${number(most)}</span><span class="least">${number(least)}</span>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${clean(summary)}" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">
<path class="grid" stroke-width="1" opacity="0.25" vector-effect="non-scaling-stroke" d="M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}"/>
<path stroke-width="2" vector-effect="non-scaling-stroke" d="${line}"/>
<path stroke-width="6" vector-effect="non-scaling-stroke" d="${dots}"/>
</svg></div>
<p class="days"><span>${formatDay(first)}</span> <span>${formatDay(last)}</span></p>
</figure>`
}

export interface Share {
  /** CSS class with the color. */
  kind: string
  count: number
}

/** A bar of shares, next to a text with the same content. */
export function shareBar(shares: Share[]) {
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return html``
  let at = 0
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">${shares.map(
    ({ kind, count }) => {
      const [start, part] = [at, (count / total) * 100]
      at += part
      return count > 0 && html`<rect class="${kind}" x="${round(start)}" y="0" width="${round(part)}" height="4"/>`
    },
  )}</svg>`
}

const round = (value: number) => Math.round(value * 10) / 10

/** The last scores as a line with the height of text, on a scale of 0 to 100. */
export function sparkline(scores: (number | null)[]) {
  const known = scores.filter((score) => score !== null)
  if (known.length < 2) return html`n/a`
  const x = (i: number) => round((i / (scores.length - 1)) * 96 + 2)
  const path = scores
    .map((score, i) =>
      score === null ? '' : `${i === 0 || scores[i - 1] === null ? 'M' : 'L'}${x(i)} ${round(22 - score / 5)}h0`,
    )
    .join('')
  const summary = `${count(known.length, 'score')}, from ${known[0]} to ${known.at(-1)}`
  return html`<svg class="spark" viewBox="0 0 100 24" role="img" aria-label="${summary}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`
}
