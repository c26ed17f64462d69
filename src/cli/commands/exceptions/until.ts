import { InvalidArgumentError } from 'commander'
import { weekdays } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import { daySeconds, formatDay, parseTimestamp } from '../../../util/time.ts'

/** Value of `--until` for an exception that ends with a release. */
export const nextRelease = 'next-release'

const unitDays = { d: 1, w: 7, y: 365 }

export function requireUntil(text: string) {
  return text.trim().toLowerCase() === nextRelease ? nextRelease : requireDay(text)
}

export function requireDay(text: string) {
  const day = text.trim().toLowerCase()
  if (/^\d{1,4}[dwy]$/.test(day) || findWeekday(day) !== undefined) return day
  if (/^\d{4}-\d\d-\d\d$/.test(day) && parseTimestamp(day) !== undefined) return day
  throw new InvalidArgumentError('Use a date such as 2027-01-31, a day such as friday, or 90d, 8w or 1y.')
}

/** Weekday by name or prefix, such as `fri`; 1 is Monday. */
function findWeekday(text: string) {
  const found = text.length < 3 ? -1 : weekdays.findIndex((day) => day.startsWith(text))
  return found < 0 ? undefined : found + 1
}

/** `now` in unix seconds. Today's weekday means one week from now. */
export function toDay(text: string, option: string, now: number) {
  const [, count, unit] = /^(\d+)([dwy])$/.exec(text) ?? []
  const weekday = findWeekday(text)
  const days =
    weekday !== undefined
      ? ((weekday - new Date(now * 1000).getUTCDay() + 6) % 7) + 1
      : unit === undefined
        ? undefined
        : Number(count) * unitDays[unit as keyof typeof unitDays]
  const day = days === undefined ? text : formatDay(now + days * daySeconds)
  if (day < formatDay(now)) {
    throw new ReltError('usage', `${option} ${day} is over: use a later day.`)
  }
  return day
}
