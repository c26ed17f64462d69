import { describe, expect, test } from 'vitest'
import { decide, maxCounted } from '../../src/agent/decide.ts'
import { cronSchedule, type Schedule } from '../../src/agent/schedule.ts'
import { enumerate } from '../agent/enumerate.ts'
import { faultsOfSchedule } from '../agent/simulate.ts'

const schedules = [
  ...['* * * * *', '*/5 * * * *', '*/7 * * * *', '0,30 * * * *', '15 * * * *', '59 * * * *', '10-20/5 * * * *'],
  ...['0 0 * * *', '30 0 * * *', '0 1 * * *', '30 1 * * *', '59 1 * * *', '0 2 * * *', '15 2 * * *', '30 2 * * *'],
  ...['59 2 * * *', '0 3 * * *', '30 23 * * *', '59 23 * * *', '0 12 * * *', '0,30 2 * * *', '*/15 2 * * *'],
  ...['0 */2 * * *', '30 */3 * * *', '0 */6 * * *', '15 2,14 * * *', '0 2,3 * * *', '30 1-3 * * *', '*/20 0-4 * * *'],
  ...['0 2 * * 0', '30 2 * * 7', '0 2 * * 1-5', '0 22 * * 5', '15 1 * * 6,0', '*/30 * * * 0', '30 2 1 * *'],
  ...['0 0 1 * *', '30 23 31 * *', '0 2 L * *', '15 0 L 2 *', '0 0 29 2 *', '30 2 25-31 3 *', '30 2 25-31 10 *'],
  ...['0 1 1-7 * *', '0 2 13 * 5', '0 0 1,15 * 3', '30 2 * * 0L', '0 3 * * 1#2', '0 0 1 1 *', '45 1 * 4,10 *'],
]

const yearsFrom = (year: number) => Date.UTC(year, 0, 1) / 1000

test('there are fifty schedules', () => {
  expect(new Set(schedules).size).toBe(50)
})

describe.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo'])('ten years in %s', (zone) => {
  test.each(schedules)('lose and double no occurrence of %s', { timeout: 600_000 }, (pattern) => {
    const [from, to] = [yearsFrom(2026), yearsFrom(2036)]
    expect(enumerate(pattern, zone, from, to).length).toBeGreaterThan(1)
    expect(faultsOfSchedule({ pattern, zone, from, to, seed: 17, longestSleep: 400_000 })).toEqual([])
  })
})

test('thirty days asleep cost a job of each minute one catch-up, and not a look at each minute', () => {
  const cron = cronSchedule({ pattern: '* * * * *', timeZone: 'Europe/Berlin', seed: '' })
  let looks = 0
  const counted = (look: Schedule['next']) => (at: number) => {
    looks++
    return look(at)
  }
  const schedule = { next: counted(cron.next), latest: counted(cron.latest) }
  const [from, to] = [Date.UTC(2026, 9, 10) / 1000, Date.UTC(2026, 10, 9) / 1000]
  const options = { schedule, delayFor: () => 0, onMissed: 'latest', maxLate: 3600 } as const
  expect(decide(options, from, to)).toMatchObject({ watermark: to, due: { at: to }, missed: { count: undefined } })
  expect(looks).toBeLessThan(2 * maxCounted)
})
