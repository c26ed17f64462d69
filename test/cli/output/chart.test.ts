import * as fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { type ChartPoint, renderChart } from '../../../src/cli/output/chart.ts'

const day = 86_400
const start = Date.UTC(2026, 7, 1) / 1000
const at = (...values: number[]): ChartPoint[] => values.map((y, i) => ({ x: start + i * day, y }))
const draw = (points: ChartPoint[], width = 50, height = 4) =>
  `\n${renderChart(points, { width, height, paint: (text) => text })}`

test('one point stands in the middle of the days, above zero', () => {
  expect(draw(at(80))).toMatchInlineSnapshot(`
    "
      80 ┤                     ●
    53.3 ┤
    26.7 ┤
       0 ┤
         └───────────────────────────────────────────
                          2026-08-01
    "
  `)
})

test('two points are joined', () => {
  expect(draw(at(61, 80))).toMatchInlineSnapshot(`
    "
      80 ┤                                    ╭─────●
    73.7 ┤                     ╭──────────────╯
    67.3 ┤       ╭─────────────╯
      61 ┤●──────╯
         └───────────────────────────────────────────
          2026-08-01                       2026-08-02
    "
  `)
})

test('a line that falls and rises', () => {
  expect(draw(at(9, 3, 5, 12), 40, 6)).toMatchInlineSnapshot(`
    "
      12 ┤                               ╭●
    10.2 ┤                            ╭──╯
     8.4 ┤●──╮                     ╭──╯
     6.6 ┤   ╰───╮               ╭─╯
     4.8 ┤       ╰──╮     ╭────●─╯
       3 ┤          ╰●────╯
         └─────────────────────────────────
          2026-08-01             2026-08-04
    "
  `)
})

test('points lie at their time, not one after the other', () => {
  const points = [0, 1, 10].map((x, i) => ({ x: start + x * day, y: i * 10 }))
  expect(draw(points)).toMatchInlineSnapshot(`
    "
      20 ┤                              ╭───────────●
    13.3 ┤    ●─────────────────────────╯
     6.7 ┤  ╭─╯
       0 ┤●─╯
         └───────────────────────────────────────────
          2026-08-01                       2026-08-11
    "
  `)
})

test.each([0, 80])('a flat line at %d stands at its own label', (value) => {
  const line = draw(at(value, value, value), 50, 8)
    .split('\n')
    .find((row) => row.includes('●'))
  expect(line?.trim().split(' ')[0]).toBe(String(value))
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
  const [, top = ''] = draw(points).split('\n')
  expect(top.trimEnd().endsWith('●')).toBe(true)
})

test('only the line is painted', () => {
  const painted = renderChart(at(1, 2), { width: 30, height: 2, paint: (text) => `<${text}>` })
  expect(painted).toMatchInlineSnapshot(`
    "2 ┤<             ╭───────────●>
    1 ┤<●────────────╯>
      └──────────────────────────
       2026-08-01      2026-08-02
    "
  `)
})

test('ten thousand points fit', () => {
  const points = Array.from({ length: 10_000 }, (_, i) => ({ x: start + i * 3600, y: 50 + 30 * Math.sin(i / 800) }))
  expect(draw(points, 60, 6)).toMatchInlineSnapshot(`
    "
    80.0 ┤    ●●●●●╮                    ●●●●●╮
    68.0 ┤  ●●╯    ●●╮                ●●╯    ●●●╮
    56.0 ┤●●╯        ●●╮            ●●╯         ●╮
    44.0 ┤             ●●╮        ●●╯            ●●╮         ●●
    32.0 ┤               ●●╮    ●●╯                ●●╮    ●●●╯
    20.0 ┤                 ●●●●●╯                    ●●●●●╯
         └─────────────────────────────────────────────────────
          2026-08-01                                 2027-09-21
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

test('never wider than asked, all rows there, a point at the first and the last column', () => {
  fc.assert(
    fc.property(points, fc.integer({ min: 40, max: 200 }), fc.integer({ min: 2, max: 12 }), (points, width, height) => {
      const rows = renderChart(points, { width, height, paint: (text) => text }).split('\n')
      expect(rows.pop()).toBe('')
      expect(rows).toHaveLength(height + 2)
      for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width)
      const plot = rows.slice(0, height)
      expect(plot.every((row) => row.includes('┤'))).toBe(true)
      expect(plot.some((row) => row.includes('●'))).toBe(true)
      expect(rows.at(-1)).toMatch(/^ *\d{4}-\d\d-\d\d( +\d{4}-\d\d-\d\d)?$/)
    }),
  )
})
