import { staleDays } from '../contract/thresholds.ts'
import { daySeconds, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { number } from '../util/words.ts'

/** The age of stale facts in days; 0 if they are not stale. `day` is a date or a timestamp. */
export function daysStale(day: string | null | undefined, now: UnixSeconds): number {
  const at = parseTimestamp(`${(day ?? '').slice(0, 10)} 00:00:00`)
  const days = at === undefined ? 0 : Math.floor((now - at) / daySeconds)
  return days > staleDays ? days : 0
}

/** Warning that newer releases and fixes are missing, because the facts are old. */
export function staleText(day: string | null | undefined, now: UnixSeconds): string {
  const days = daysStale(day, now)
  return days > 0 ? `The catalog is ${number(days)} days old, so newer releases and fixes are missing.` : ''
}
