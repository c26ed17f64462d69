import { daySeconds, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { number } from '../util/words.ts'

/** Days for which facts show what is current, by default. */
export const usualFactsDays = 90

/** Days for which facts show what is current. Opening a store sets it to `RELT_CATALOG_MAX_AGE`. */
export const factsLimit = { days: usualFactsDays }

/** The age in days of facts that no longer show what is current; 0 if they do. `day` is a date or a timestamp. */
export function daysOld(day: string | null | undefined, now: UnixSeconds): number {
  const at = parseTimestamp((day ?? '').slice(0, 10))
  const days = at === undefined ? 0 : Math.floor((now - at) / daySeconds)
  return days > factsLimit.days ? days : 0
}

/** Warning that newer releases and fixes may be missing, because the facts are old. */
export function staleText(day: string | null | undefined, now: UnixSeconds): string {
  const days = daysOld(day, now)
  return days > 0 ? `Facts are up to ${number(days)} days old, so newer releases and fixes may be missing.` : ''
}
