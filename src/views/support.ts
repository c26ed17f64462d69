import type { Eol } from '../contract/eol.ts'
import { isWithin, supportSoonDays } from '../contract/thresholds.ts'
import type { UnixSeconds } from '../util/time.ts'
import { type Said, safe, say, type Tone } from './said.ts'

type Support = Pick<Eol, 'date' | 'is_eol'>

export const endsSoon = ({ date, is_eol }: Support, now: UnixSeconds): boolean =>
  !is_eol && !!date && isWithin(date, supportSoonDays, now)

/** Has ended, or ends soon; else nobody has to do anything. */
export const supportTone = (support: Support, now: UnixSeconds): Tone | undefined =>
  support.is_eol ? 'bad' : endsSoon(support, now) ? 'warn' : undefined

/** `ended on 2026-06-28`, `until 2026-10-27`. */
export function supportSaid(support: Support, now: UnixSeconds): Said {
  const { date, is_eol } = support
  const day = date !== null && { ...safe(date), as: 'day' as const }
  const words = is_eol ? say`ended${day && say` on ${day}`}` : day ? say`until ${day}` : say`no end is announced`
  const tone = supportTone(support, now)
  return words.map((piece) => ({ ...piece, tone }))
}
