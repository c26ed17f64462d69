import { describe, expect, test } from 'vitest'
import { cronSchedule, intervalSchedule } from '../../src/agent/schedule.ts'
import { enumerate } from './enumerate.ts'
import { faultsFor, faultsOfSchedule } from './simulate.ts'

const at = (text: string) => Date.parse(text) / 1000
const iso = (seconds: number | undefined) => seconds && new Date(seconds * 1000).toISOString().slice(0, 16)

const cron = (pattern: string, timeZone = 'UTC', seed = 'machine') => cronSchedule({ pattern, timeZone, seed })

describe('a cron pattern', () => {
  test('on a day of 23 hours runs once a day, at the end of the gap', () => {
    const schedule = cron('30 2 * * *', 'Europe/Berlin')
    expect(iso(schedule.next(at('2026-03-28T12:00Z')))).toBe('2026-03-29T01:00')
    expect(iso(schedule.next(at('2026-03-29T01:00Z')))).toBe('2026-03-30T00:30')
  })

  test('on a day of 25 hours runs once a day, at the first of two equal times', () => {
    const schedule = cron('30 2 * * *', 'Europe/Berlin')
    expect(iso(schedule.next(at('2026-10-24T12:00Z')))).toBe('2026-10-25T00:30')
    expect(iso(schedule.next(at('2026-10-25T00:30Z')))).toBe('2026-10-26T01:30')
  })

  test('with several times a day has each of them once, whatever the clock does', () => {
    const berlin = (pattern: string, from: string, count: number) => {
      const schedule = cron(pattern, 'Europe/Berlin')
      const found = [schedule.next(at(from))!]
      while (found.length < count) found.push(schedule.next(found.at(-1)!)!)
      return found.map(iso)
    }
    expect(berlin('0,30 2 * * *', '2026-03-28T12:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:00'])
    expect(berlin('0,30 2 * * *', '2026-10-24T12:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-26T01:00',
    ])
    expect(berlin('15 2,14 * * *', '2026-03-28T13:15Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-29T12:15'])
  })

  test('looks back from the second of two equal hours', () => {
    const schedule = cron('0,30 2 * * *', 'Europe/Berlin')
    expect(iso(schedule.latest(at('2026-10-25T01:10Z')))).toBe('2026-10-25T00:30')
    expect(iso(schedule.latest(at('2026-03-29T00:59Z')))).toBe('2026-03-28T01:30')
    expect(iso(schedule.latest(at('2026-03-29T01:00Z')))).toBe('2026-03-29T01:00')
  })

  test('of each half hour follows the clock through a day of 25 hours', () => {
    const schedule = cron('*/30 * * * *', 'Europe/Berlin')
    const found = [at('2026-10-24T22:00Z')]
    while (found.length < 50) found.push(schedule.next(found.at(-1)!)!)
    expect(found.at(-1)! - found[0]!).toBe(49 * 1800)
  })

  test.each(['0 0 30 2 *', 'H/0 * * * *', '61 * * * *', '* * * *', '* * * * * *', 'H(9-3) * * * *', 'Hx * * * *', ''])(
    'is refused as %j',
    (pattern) => {
      expect(() => cron(pattern)).toThrow(expect.objectContaining({ code: 'usage' }))
    },
  )

  test('is refused in an unknown zone', () => {
    expect(() => cron('0 0 * * *', 'Mars/Olympus')).toThrow('there is no time zone "Mars/Olympus"')
  })

  test('names no other number than that of the pattern in its error', () => {
    expect(() => cron('0 0 99 * *')).toThrow('"0 0 99 * *" is not a cron pattern of five fields: Invalid value for day')
  })

  test('spreads H over machines, and keeps it on one', () => {
    const minutes = Array.from({ length: 200 }, (_, machine) => cron('H H * * *', 'UTC', `m${machine}`).next(0)!)
    expect(new Set(minutes).size).toBeGreaterThan(100)
    expect(cron('H H * * *', 'UTC', 'm1').next(0)).toBe(cron('H H * * *', 'UTC', 'm1').next(0))
  })

  test.each([
    ['H(0-29) 3 * * *', (minute: number) => minute < 30],
    ['H(0-29)/10 3 * * *', (minute: number) => minute < 30],
    ['H/15 3 * * *', () => true],
  ])('keeps %s within its bounds', (pattern, holds) => {
    for (let machine = 0; machine < 50; machine++) {
      const next = cron(pattern, 'UTC', `m${machine}`).next(at('2026-01-01T00:00Z'))!
      expect(holds(new Date(next * 1000).getUTCMinutes()) && new Date(next * 1000).getUTCHours() === 3).toBe(true)
    }
  })
})

test('an interval is due at the same instants in every process', () => {
  const [one, other] = [intervalSchedule(900, 'a'), intervalSchedule(900, 'a')]
  const now = at('2026-11-22T12:00Z')
  expect(one.next(now)).toBe(other.next(now))
  expect(one.next(one.next(now)!)! - one.next(now)!).toBe(900)
  expect(one.latest(one.next(now)!)).toBe(one.next(now))
})

describe('a year of an agent that sleeps at times', () => {
  const [from, to] = [at('2026-01-01T00:00Z'), at('2027-01-01T00:00Z')]
  test.each([
    ['30 2 * * *', 'Europe/Berlin'],
    ['0,30 2 * * *', 'Europe/Berlin'],
    ['15 2,14 L * *', 'Europe/Berlin'],
    ['*/20 * 25-31 3,10 *', 'Europe/Berlin'],
    ['15 0 * * *', 'Africa/Cairo'],
    ['30 * 1,29 5,10 *', 'Africa/Cairo'],
    ['0 */6 * * *', 'Australia/Lord_Howe'],
    ['*/15 1-2 1-7 4,10 *', 'Australia/Lord_Howe'],
    ['20 2 * * 0', 'America/New_York'],
    ['20 1 * * 7L', 'America/New_York'],
  ])('decides on each occurrence of %s in %s once', (pattern, zone) => {
    expect(faultsOfSchedule({ pattern, zone, from, to, seed: 7, longestSleep: 400_000 })).toEqual([])
  })

  test('a schedule that leaves an hour out is a fault', () => {
    const instants = enumerate('0 * * * *', 'UTC', from, from + 86_400)
    const ran = instants.filter((_, index) => index !== 7)
    expect(faultsFor({ ran, missed: [] }, instants)).toEqual(['2026-01-01T07:00: 0 times'])
    expect(faultsFor({ ran: [...instants, instants[3]!], missed: [] }, instants)).toEqual(['2026-01-01T03:00: 2 times'])
  })
})
