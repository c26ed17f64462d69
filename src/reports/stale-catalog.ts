import { staleDays } from '../contract/thresholds.ts'
import { daySeconds, parseTimestamp } from '../util/time.ts'
import { number } from '../util/words.ts'

/** Where newer releases and fixes are missing, because the facts are old; `day` is a day or a timestamp of the wire. */
export function staleText(day: string | null | undefined, now: number): string {
  const at = parseTimestamp(`${(day ?? '').slice(0, 10)} 00:00:00`)
  const days = at === undefined ? 0 : Math.floor((now - at) / daySeconds)
  return days > staleDays ? `The catalog is ${number(days)} days old, so newer releases and fixes are missing.` : ''
}
