/** Times are unix seconds internally, and `YYYY-MM-DD HH:MM:SS` (UTC) in the API. */

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

/** Start of year 10000, which the API's format cannot express. */
const end = 253_402_300_800

/**
 * An alias that documents the unit. A branded number would need unwrapping for every sum and comparison, and the error that
 * it prevents, milliseconds, shows in the first test.
 */
export type UnixSeconds = number

export const daySeconds = 86_400

/** Parses the API's format or ISO 8601; a time without a zone is UTC. Undefined for anything else. */
export function parseTimestamp(value: string) {
  const match = pattern.exec(value.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = match
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isDay = midnight.getUTCMonth() === Number(month) - 1 && midnight.getUTCFullYear() === Number(year)
  const offset = zoneOffsetSeconds(zone)
  if (!isDay || offset === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    return undefined
  const seconds = midnight.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset
  return seconds < end ? seconds : undefined
}

export function formatTimestamp(seconds: number) {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

export const timestampOrNull = (seconds: number | null | undefined) =>
  typeof seconds === 'number' ? formatTimestamp(seconds) : null

/** Unix seconds of a time in any form that JavaScript reads. */
export function secondsOrNull(time: string | null | undefined) {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

/** The day in UTC, `YYYY-MM-DD`. */
export const formatDay = (seconds: number) => formatTimestamp(seconds).slice(0, 10)

/** The last of the days, `YYYY-MM-DD`; undefined if there is none. */
export const lastDay = (...days: (string | null | undefined)[]) =>
  days
    .filter((day) => day != null)
    .sort()
    .at(-1)

function zoneOffsetSeconds(zone: string | undefined) {
  if (!zone || zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (hours > 23 || minutes > 59) return undefined
  const seconds = hours * 3600 + minutes * 60
  return zone.startsWith('-') ? -seconds : seconds
}

/** Number of days: `14d` or `14`; undefined for anything else. */
export function parseDays(text: string) {
  const days = /^(\d{1,4})d?$/.exec(text.trim())?.[1]
  return days === undefined ? undefined : Number(days)
}
