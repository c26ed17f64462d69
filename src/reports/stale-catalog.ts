import { staleDays } from '../contract/thresholds.ts'
import { daySeconds, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { number } from '../util/words.ts'

/** The age of facts that are stale; 0: they are not. `day` is a day or a timestamp of the wire. */
export function daysStale(day: string | null | undefined, now: UnixSeconds): number {
  const at = parseTimestamp(`${(day ?? '').slice(0, 10)} 00:00:00`)
  const days = at === undefined ? 0 : Math.floor((now - at) / daySeconds)
  return days > staleDays ? days : 0
}

/** Where newer releases and fixes are missing, because the facts are old. */
export function staleText(day: string | null | undefined, now: UnixSeconds): string {
  const days = daysStale(day, now)
  return days > 0 ? `The catalog is ${number(days)} days old, so newer releases and fixes are missing.` : ''
}
