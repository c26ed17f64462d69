import { wallAt } from '../util/local-time.ts'
import { daySeconds, formatTimestamp, type UnixSeconds } from '../util/time.ts'

const hour = 8

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** `day`: days since 1970-01-01, a Thursday. */
const weekdayOf = (day: number): number => (day + 4) % 7

/** The zone of `RELT_TIME_ZONE`; without it, that of the machine. */
export const zoneOr = (timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string => timeZone

/** Since when findings are new by default: yesterday at 8:00 in the zone; on Sunday and Monday, Friday at 8:00. */
export function newsSince(now: UnixSeconds, timeZone?: string): UnixSeconds {
  const zone = zoneOr(timeZone)
  const today = Math.floor(wallAt(zone, now) / daySeconds)
  const back = [2, 3][weekdayOf(today)] ?? 1
  const wall = (today - back) * daySeconds + hour * 3600
  // No zone changes its clock between 8:00 there and 8:00 UTC of a working day.
  return 2 * wall - wallAt(zone, wall)
}

/** `Fri 08:00` within the last week, else `2026-11-20 08:00`. */
export function sinceText(since: UnixSeconds, timeZone: string, now: UnixSeconds): string {
  const wall = wallAt(timeZone, since)
  const [day, time] = formatTimestamp(wall).slice(0, 16).split(' ')
  return `${now - since < 7 * daySeconds ? weekdays[weekdayOf(Math.floor(wall / daySeconds))] : day} ${time}`
}
