import type { UnixSeconds } from '../util/time.ts'
import { minuteOfDay, modulo, offsetMinutes } from './local-time.ts'

/** Minutes since midnight; `from` may be after `until`: across midnight. */
export interface QuietHours {
  from: number
  until: number
}

/** Parses `22:00-07:00`; undefined for any other text, including an empty one. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (!match) return undefined
  const [from, until] = [Number(match[1]) * 60 + Number(match[2]), Number(match[3]) * 60 + Number(match[4])]
  return from === until ? undefined : { from, until }
}

/** The first time, at or after the given one, that is outside the quiet hours in the zone. */
export function endOfQuiet({ from, until }: QuietHours, timeZone: string, at: UnixSeconds) {
  const isQuiet = (time: UnixSeconds) => {
    const minute = minuteOfDay(timeZone, time)
    return from < until ? minute >= from && minute < until : minute >= from || minute < until
  }
  let time = at
  while (isQuiet(time)) {
    const start = Math.floor(time / 60) * 60
    const end = start + modulo(until - minuteOfDay(timeZone, time), 1440) * 60
    // A clock change may shorten or extend the hours.
    time = offsetMinutes(timeZone, end) === offsetMinutes(timeZone, time) ? end : changeOfClock(timeZone, start, end)
  }
  return time
}

/** The first minute after `low` whose offset differs from that of `low`. It must exist by `high`. */
function changeOfClock(timeZone: string, low: UnixSeconds, high: UnixSeconds) {
  const offset = offsetMinutes(timeZone, low)
  let [before, after] = [low / 60, high / 60]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetMinutes(timeZone, middle * 60) === offset) before = middle
    else after = middle
  }
  return after * 60
}
