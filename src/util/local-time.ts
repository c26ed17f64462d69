import { remember } from './remember.ts'
import type { UnixSeconds } from './time.ts'

/** A local date and time, as unix seconds of the same date and time in UTC. */
export type WallSeconds = number

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time in a time zone at an instant. Throws `RangeError` for an unknown zone. */
export function wallAt(timeZone: string, at: UnixSeconds): WallSeconds {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of toFormat(timeZone).formatToParts(at * 1000)) parts[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

export function isTimeZone(name: string) {
  try {
    toFormat(name)
    return true
  } catch {
    return false
  }
}

function toFormat(timeZone: string) {
  const clock = { hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  return remember(formats, timeZone, () => new Intl.DateTimeFormat('en-US', { timeZone, ...day, ...clock }))
}
