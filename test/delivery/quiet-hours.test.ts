import { describe, expect, test } from 'vitest'
import { type DigestRule, nextDigest } from '../../src/delivery/digest-times.ts'
import { endOfQuiet, parseQuietHours, type QuietHours } from '../../src/delivery/quiet-hours.ts'

/** Zones with both changes of the clock: in either half of the world, by half an hour, and at midnight. */
const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago']
const year = { from: Date.UTC(2026, 0, 1) / 1000, to: Date.UTC(2027, 0, 1) / 1000 }

/** The clock of a zone, minute by minute, as the platform formats it. */
function toClock(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (at: number) => {
    const parts = Object.fromEntries(format.formatToParts(at * 1000).map(({ type, value }) => [type, value]))
    return {
      minute: Number(parts.hour) * 60 + Number(parts.minute),
      day: `${parts.year}-${parts.month}-${parts.day}`,
      weekday: parts.weekday,
    }
  }
}

/** Whole minutes of a zone in a year, whose clocks are read once. */
const minutesOf = (timeZone: string, step: number) => {
  const clock = toClock(timeZone)
  return Array.from({ length: (year.to - year.from) / step }, (_, index) => {
    const at = year.from + index * step
    return { at, ...clock(at) }
  })
}

const isQuiet = ({ from, until }: QuietHours, minute: number) =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until

describe('quiet hours', () => {
  // All offsets and their changes are at whole quarters of an hour.
  test.each(zones)('end at the first quarter of an hour outside them, all year in %s', (timeZone) => {
    const quarters = minutesOf(timeZone, 900)
    for (const text of ['22:00-07:00', '02:15-02:45', '23:30-00:15']) {
      const hours = parseQuietHours(text)!
      let expected = year.to
      for (const { at, minute } of quarters.toReversed()) {
        if (!isQuiet(hours, minute)) expected = at
        if (at > year.to - 2 * 86_400) continue
        const end = endOfQuiet(hours, timeZone, at)
        if (end !== expected) expect.fail(`${text} ${timeZone}: ${at} ends at ${end}, not at ${expected}`)
      }
    }
  })

  test('leave a moment outside them as it is, to the second', () => {
    expect(endOfQuiet({ from: 0, until: 60 }, 'UTC', 3601)).toBe(3601)
    expect(endOfQuiet({ from: 0, until: 60 }, 'UTC', 3599)).toBe(3600)
  })

  test.each(['', '22-7', '24:00-07:00', '22:00-22:00', '22:00–07:00', '22:60-07:00'])(
    'are not read from %j',
    (text) => {
      expect(parseQuietHours(text)).toBeUndefined()
    },
  )
})

describe('digests', () => {
  test.each(zones)('come once a day at their hour all year in %s, and at the end of a gap', (timeZone) => {
    const minutes = minutesOf(timeZone, 900)
    for (const hour of [0, 2, 8, 23]) {
      const rule: DigestRule = { period: 'daily', hour, weekday: 'monday', timeZone }
      // Of each local day, the first quarter of an hour at or after the hour.
      const expected: number[] = []
      let last = ''
      for (const { at, minute, day } of minutes) {
        if (minute < hour * 60 || day === last) continue
        last = day
        expected.push(at)
      }
      const found: number[] = []
      for (let at = nextDigest(rule, year.from - 1); at < year.to; at = nextDigest(rule, at)) found.push(at)
      // The first local day has begun before the year does.
      const whole = expected.filter((at) => at > year.from)
      expect(found.filter((at) => at > year.from + 86_400)).toEqual(whole.filter((at) => at > year.from + 86_400))
    }
  })

  test('come once a week on their day', () => {
    const rule: DigestRule = { period: 'weekly', hour: 8, weekday: 'sunday', timeZone: 'Europe/Berlin' }
    const clock = toClock('Europe/Berlin')
    let count = 0
    for (let at = nextDigest(rule, year.from); at < year.to; at = nextDigest(rule, at)) {
      expect(clock(at)).toMatchObject({ weekday: 'Sun', minute: 480 })
      count++
    }
    expect(count).toBe(52)
  })
})
