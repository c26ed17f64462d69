import { describe, expect, test } from 'vitest'
import { isSilent, usualInterval } from '../../src/reports/rhythm.ts'

const [hour, day] = [3600, 86_400]
const times = (...gaps: number[]) =>
  [0, ...gaps].map((_, i) => gaps.slice(0, i).reduce((sum, gap) => sum + gap, 1_000_000))

describe('the rhythm of scans', () => {
  test('is the middle of the gaps between them', () => {
    expect(usualInterval(times(day, day, day + hour, day - hour, day))).toBe(day)
    expect(usualInterval(times(7 * day, 7 * day, 6 * day, 8 * day))).toBe(7 * day)
  })

  test('leaves out scans of one moment', () => {
    expect(usualInterval(times(day, 60, day, 60, day, 60, day))).toBe(day)
  })

  test('is not known from few scans, nor from scans at any time', () => {
    expect(usualInterval([])).toBeUndefined()
    expect(usualInterval(times(day, day, day))).toBeUndefined()
    expect(usualInterval(times(hour, 2 * hour, 30 * day, 60 * day, hour))).toBeUndefined()
  })

  test('explains a gap that is three times as long', () => {
    expect(isSilent(day, 3 * day)).toBe(false)
    expect(isSilent(day, 3 * day + 1)).toBe(true)
  })
})
