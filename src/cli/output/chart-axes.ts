import { formatTimestamp } from '../../util/time.ts'

/**
 * A scale between two round numbers, with at most `height` rows (at least 4), the first at `high`, the last at `low`. Flat
 * values get a scale from zero. `labels`: for each row from the top, the value exactly at it, or empty.
 */
export function valueAxis(values: number[], { height, whole }: { height: number; whole: boolean }) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [bottom, top] = least < most ? [least, most] : [Math.min(0, least), most || 1]
  // Labels of a tall plot are two rows apart.
  const maxSteps = Math.floor((height - 1) / (height > 8 ? 2 : 1))
  const isFlat = least === most
  const scales = roundSteps((top - bottom) / maxSteps, whole || isFlat).flatMap((step) => {
    const [from, to] = [Math.floor(bottom / step), Math.ceil(top / step)]
    return to - from > maxSteps ? [] : [{ step, from, to, rowsPerStep: Math.floor((height - 1) / (to - from)) }]
  })
  // The scale on which the values take the most rows; for a flat line, the one with the most labels.
  const spread = ({ step, from, to, rowsPerStep }: (typeof scales)[number]) =>
    isFlat ? to - from : ((top - bottom) / step) * rowsPerStep * (to - from < 2 ? 0.5 : 1)
  const { step, from, to, rowsPerStep } = scales.reduce((best, next) => (spread(next) > spread(best) ? next : best))
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const rows = (to - from) * rowsPerStep + 1
  const labels = Array.from({ length: rows }, (_, row) =>
    row % rowsPerStep === 0 ? (step * (to - row / rowsPerStep)).toFixed(digits) : '',
  )
  return { rows, low: from * step, high: to * step, labels }
}

/** Multiples 1, 2 and 5 of powers of ten, from about the smallest step. Labels have at most two decimals. */
function roundSteps(least: number, whole: boolean): number[] {
  const power = Math.floor(Math.log10(Math.max(least, 0.01)))
  const powers = [power, power + 1, power + 2].map((each) => (whole ? Math.max(0, each) : each))
  return [...new Set(powers)].flatMap((each) => [1, 2, 5].map((step) => Number(`${step}e${each}`)))
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const intervals = [
  ...[1, 5, 15, 30].map((many) => many * minute),
  ...[1, 3, 6, 12].map((many) => many * hour),
  ...[1, 2, 7, 14, 28, 56].map((many) => many * day),
]

/** Days (or times of day) from the start of the first one, as many as there is room for. In UTC; times in unix seconds. */
export function timeTicks(first: number, last: number, columns: number) {
  if (first === last)
    return { start: first, end: last, ticks: [{ x: first, label: formatTimestamp(first).slice(0, 10) }] }
  const labelColumns = 'MM-DD'.length + 2
  const fits = (interval: number) => (interval / (last - first)) * columns >= labelColumns
  const interval = intervals.find(fits) ?? intervals.at(-1)!
  const unit = Math.min(interval, day)
  const start = Math.floor(first / unit) * unit
  const times = Array.from({ length: Math.floor((last - start) / interval) + 1 }, (_, i) => start + i * interval)
  return { start, end: last, ticks: times.map((x, i) => ({ x, label: toLabel(x, times[i - 1], interval) })) }
}

/** The first label, and the first of a year or day, is longer. */
function toLabel(x: number, before: number | undefined, interval: number): string {
  const [text, previous] = [formatTimestamp(x), before === undefined ? '' : formatTimestamp(before)]
  if (interval >= day) return text.slice(0, 4) === previous.slice(0, 4) ? text.slice(5, 10) : text.slice(0, 10)
  if (previous === '') return text.slice(0, 16)
  return text.slice(0, 10) === previous.slice(0, 10) ? text.slice(11, 16) : text.slice(5, 10)
}
