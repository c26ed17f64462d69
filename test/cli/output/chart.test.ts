import * as fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { type ChartPoint, renderChart } from '../../../src/cli/output/chart.ts'
import { valueAxis } from '../../../src/cli/output/chart-axes.ts'

const day = 86_400
const start = Date.UTC(2026, 7, 1) / 1000
const at = (...values: number[]): ChartPoint[] => values.map((y, i) => ({ x: start + i * day, y }))
const draw = (points: ChartPoint[], width = 50, height = 4) =>
  `\n${renderChart(points, { width, height, paint: (text) => text })}`

test('one point stands in the middle of the days, above zero', () => {
  expect(draw(at(80))).toMatchInlineSnapshot(`
    "
    100 ┤                      ●
     50 ┤
      0 ┤
        └──────────────────────┬─────────────────────
                               2026-08-01
    "
  `)
})

test('two points are joined', () => {
  expect(draw(at(61, 80))).toMatchInlineSnapshot(`
    "
    80 ┤                                 ╭──────────●
    70 ┤          ╭──────────────────────╯
    60 ┤●─────────╯
       └┬──────────┬──────────┬──────────┬──────────┬
        2026-08-01 00:00      12:00      18:00
    "
  `)
})

test('a line that falls and rises', () => {
  expect(draw(at(9, 3, 5, 12), 40, 6)).toMatchInlineSnapshot(`
    "
    12 ┤                                 ╭●
    10 ┤●╮                            ╭──╯
     8 ┤ ╰──╮                      ╭──╯
     6 ┤    ╰───╮              ●───╯
     4 ┤        ╰──●───────────╯
     2 ┤
       └┬──────────┬───────────┬──────────┬
        2026-08-01             08-03
    "
  `)
})

test('points lie at their time, not one after the other', () => {
  const points = [0, 1, 10].map((x, i) => ({ x: start + x * day, y: i * 10 }))
  expect(draw(points)).toMatchInlineSnapshot(`
    "
    20 ┤                        ╭───────────────────●
    10 ┤  ╭─●───────────────────╯
     0 ┤●─╯
       └┬────────┬────────┬───────┬────────┬────────┬
        2026-08-01        08-05   08-07    08-09
    "
  `)
})

test.each([0, 80])('a flat line at %d stands at its own label', (value) => {
  const line = draw(at(value, value, value), 50, 8)
    .split('\n')
    .find((row) => row.includes('●'))
  expect(line?.trim().split(' ')[0]).toBe(String(value))
})

test('plots that are compared share both scales', () => {
  const [low, high] = [at(10, 20), at(50, 80, 100)]
  const options = { width: 50, height: 8, paint: (text: string) => text, scaledTo: [...low, ...high] }
  const axes = [low, high].map((points) =>
    renderChart(points, options)
      .split('\n')
      .map((row) => row.split(/[┤│]/)[0])
      .join('\n'),
  )
  expect(axes[0]).toBe(axes[1])
  expect(`\n${renderChart(low, options)}`).toMatchInlineSnapshot(`
    "
    100 ┤
        │
        │
     50 ┤
        │
        │●─────────────────────●
      0 ┤
        └┬──────────┬──────────┬─────────┬──────────┬
         2026-08-01 00:00      08-02     12:00
    "
  `)
})

test('a terminal without UTF-8 gets ASCII', () => {
  const drawn = renderChart(at(9, 3, 5, 12), { width: 50, height: 8, paint: (text) => text, isAscii: true })
  expect(drawn).toMatch(/^[\n -~]+$/)
  expect(`\n${drawn}`).toMatchInlineSnapshot(`
    "
    12 +                                          .-*
    10 +*.                                    .---'
     8 + '----.                           .---'
     6 +      '----.                 *----'
     4 +           '---*-------------'
     2 +
       ++------+-------+------+------+-------+------+
        2026-08-01 00:00      12:00  08-03   12:00
    "
  `)
})

test('a tick and its label are at the column of their day', () => {
  const points = Array.from({ length: 29 }, (_, i) => ({ x: start + i * day, y: i }))
  const rows = draw(points, 61, 8).split('\n')
  const [axis, labels] = [rows.at(-3)!, rows.at(-2)!]
  const [first, second] = [axis.indexOf('┬'), axis.indexOf('┬', axis.indexOf('┬') + 1)]
  expect(labels.indexOf('2026-08-01')).toBe(first)
  const columns = [...axis.matchAll(/┬/g)].map(({ index }) => index)
  for (const { 0: label, index } of labels.matchAll(/(?<= )08-\d\d/g)) {
    const days = Number(label.slice(3)) - 1
    expect(columns).toContain(index)
    expect(Math.abs(index - first - (days * (axis.length - 1 - first)) / 28)).toBeLessThan(1)
  }
  expect(second).toBeGreaterThan(first)
})

test.each([
  [61, 80, 8],
  [99.2, 99.3, 12],
  [12_277, 94_995, 20],
  [3, 4, 4],
])('labels from %d to %d are round and evenly spaced', (low, high, height) => {
  const { labels } = valueAxis([low, high], { height, whole: false })
  const rows = labels.flatMap((label, row) => (label === '' ? [] : [{ row, value: Number(label) }]))
  expect(rows[0]!.value).toBeGreaterThanOrEqual(high)
  expect(rows.at(-1)!.value).toBeLessThanOrEqual(low)
  const steps = rows
    .slice(1)
    .map(({ row, value }, i) => [row - rows[i]!.row, (rows[i]!.value - value).toFixed(6)].join())
  expect(new Set(steps).size).toBe(1)
  expect(Number(steps[0]!.split(',')[1]).toExponential()).toMatch(/^[125]e/)
})

test.each([
  ['the same second', 0],
  ['the same column', 60],
])('the latest of several points of %s is where the line ends', (_, seconds) => {
  const end = start + 30 * day
  const points = [
    { x: start, y: 50 },
    { x: end - seconds, y: 10 },
    { x: end, y: 90 },
  ]
  const row = draw(points)
    .split('\n')
    .find((line) => line.trimEnd().endsWith('●'))
  const last = draw(points)
    .split('\n')
    .findIndex((line) => line.trimEnd().endsWith('●'))
  expect(row?.length).toBe(50 - 1)
  expect(last).toBeLessThan(3)
})

test('only the line is painted', () => {
  const painted = renderChart(at(1, 2), { width: 30, height: 4, paint: (text) => `<${text}>` })
  expect(painted).toMatchInlineSnapshot(`
    "2.0 ┤<                  ╭────●>
    1.5 ┤<      ╭───────────╯>
    1.0 ┤<●─────╯>
        └┬───────────┬──────────┬
         2026-08-01 00:00
    "
  `)
})

test('ten thousand points fit', () => {
  const points = Array.from({ length: 10_000 }, (_, i) => ({ x: start + i * 3600, y: 50 + 30 * Math.sin(i / 800) }))
  expect(draw(points, 60, 6)).toMatchInlineSnapshot(`
    "
    80 ┤   ●●●●●●●╮                   ●●●●●●●●╮
    60 ┤●●●╯      ●●●●╮            ●●●╯       ●●●╮
    40 ┤              ●●●╮      ●●●╯             ●●●╮      ●●●●
    20 ┤                 ●●●●●●●╯                   ●●●●●●●╯
       └┬──────┬───────┬──────┬──────┬──────┬───────┬──────┬───
        2026-08-01     11-21  2027-01-16    05-08   07-03
    "
  `)
})

const points = fc
  .array(
    fc.record({
      x: fc.integer({ min: start, max: start + 365 * day }),
      y: fc.double({ min: 0, max: 1e6, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((list) => list.sort((a, b) => a.x - b.x))

test('never wider or higher than asked, a tick below the plot, a point in it', async () => {
  await fc.assert(
    fc.property(points, fc.integer({ min: 40, max: 200 }), fc.integer({ min: 4, max: 20 }), (points, width, height) => {
      const rows = renderChart(points, { width, height, paint: (text) => text }).split('\n')
      expect(rows.pop()).toBe('')
      expect(rows.length).toBeLessThanOrEqual(height + 2)
      for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width)
      const plot = rows.slice(0, -2)
      expect(plot[0]).toContain('┤')
      expect(plot.at(-1)).toContain('┤')
      expect(plot.some((row) => row.includes('●'))).toBe(true)
      expect(rows.at(-2)).toContain('┬')
      expect(rows.at(-1)).toMatch(/^ *\d{4}-\d\d-\d\d/)
    }),
  )
})
