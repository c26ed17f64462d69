import { InvalidArgumentError } from 'commander'
import { everyOf } from '../../util/every.ts'
import { formatTimestamp, parseDays, parseTimestamp, type UnixSeconds } from '../../util/time.ts'

/** `30m`, `24h`, `7d` or `2w` → seconds, from a minute to a year. Throws `InvalidArgumentError`. */
export function parseEvery(text: string) {
  const seconds = everyOf(text)
  if (seconds !== undefined) return seconds
  throw new InvalidArgumentError('Use an interval such as 30m, 24h or 7d, at most a year.')
}

/** Parses days such as `14d`, from a day to a year. Throws `InvalidArgumentError`. */
export function parseDaysOfYear(text: string) {
  const days = parseDays(text)
  if (days !== undefined && days >= 1 && days <= 365) return days
  throw new InvalidArgumentError('Use a number of days from 1d to 365d.')
}

/** Parses a date or time to unix seconds. Throws `InvalidArgumentError`. */
export function parseTime(text: string) {
  const seconds = parseTimestamp(text)
  if (seconds === undefined) throw new InvalidArgumentError('Use a date such as 2026-01-31, or ISO 8601.')
  return seconds
}

/** What counts as new: an interval, or a day or time. Its value is for `sinceQuery`. */
export const sinceOption = {
  help: 'what is new: an interval such as 7d, or a day (default: yesterday at 8:00; on Sunday and Monday, Friday at 8:00)',
  parse(text: string): (now: UnixSeconds) => UnixSeconds {
    const seconds = everyOf(text)
    if (seconds !== undefined) return (now) => now - seconds
    const at = parseTimestamp(text)
    if (at === undefined)
      throw new InvalidArgumentError('Use an interval such as 24h or 7d, or a date such as 2026-01-31.')
    return () => at
  },
}

export const sinceQuery = (since: ReturnType<typeof sinceOption.parse> | undefined, now: UnixSeconds) =>
  since ? { since: formatTimestamp(since(now)) } : {}
