import type { UnixSeconds } from '../util/time.ts'
import { minuteOfDay, modulo, offsetMinutes } from './local-time.ts'

/** Minutes since midnight; `from` may be after `until`: over midnight. */
export interface QuietHours {
  from: number
  until: number
}

/** Reads `22:00-07:00`; undefined for any other text, an empty one included. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (!match) return undefined
  const [from, until] = [Number(match[1]) * 60 + Number(match[2]), Number(match[3]) * 60 + Number(match[4])]
  return from === until ? undefined : { from, until }
}

/** The first moment, at or after the given one, at which the clocks of the zone are outside the quiet hours. */
export function endOfQuiet({ from, until }: QuietHours, timeZone: string, at: UnixSeconds): UnixSeconds {
  const isQuiet = (time: UnixSeconds) => {
    const minute = minuteOfDay(timeZone, time)
    return from < until ? minute >= from && minute < until : minute >= from || minute < until
  }
  let time = at
  while (isQuiet(time)) {
    const start = Math.floor(time / 60) * 60
    const end = start + modulo(until - minuteOfDay(timeZone, time), 1440) * 60
    // A change of the clock may end the hours earlier, or make them longer.
    time = offsetMinutes(timeZone, end) === offsetMinutes(timeZone, time) ? end : changeOfClock(timeZone, start, end)
  }
  return time
}

/** The first minute after `low` whose offset is not that of `low`. There is one, up to `high`. */
function changeOfClock(timeZone: string, low: UnixSeconds, high: UnixSeconds): UnixSeconds {
  const offset = offsetMinutes(timeZone, low)
  let [before, after] = [low / 60, high / 60]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetMinutes(timeZone, middle * 60) === offset) before = middle
    else after = middle
  }
  return after * 60
}
