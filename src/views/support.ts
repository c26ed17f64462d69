import type { Eol } from '../contract/eol.ts'
import { isWithin, supportSoonDays } from '../contract/thresholds.ts'
import { extendedText, supportKind } from '../lifecycle/support-text.ts'
import type { UnixSeconds } from '../util/time.ts'
import { type Said, safe, say, type Tone } from './said.ts'

type Support = Pick<Eol, 'date' | 'is_eol' | 'by' | 'extended_until'>

export const endsSoon = ({ date, is_eol }: Support, now: UnixSeconds) =>
  !is_eol && !!date && isWithin(date, supportSoonDays, now)

/** Colored if support has ended or ends soon, because only then is action needed. */
export const supportTone = (support: Support, now: UnixSeconds): Tone | undefined =>
  support.is_eol ? 'bad' : endsSoon(support, now) ? 'warn' : undefined

/** `ended on 2026-06-28`, `until 2026-10-27`, `EKS standard until 2026-12-02 (paid extended support until 2027-12-02)`. */
export function supportSaid(support: Support, now: UnixSeconds): Said {
  const { date, is_eol } = support
  const day = date !== null && { ...safe(date), as: 'day' as const }
  const words = is_eol ? say`ended${day && say` on ${day}`}` : day ? say`until ${day}` : say`no end is announced`
  const tone = supportTone(support, now)
  const kind = supportKind(support)
  const whose = kind === '' ? [] : [safe(`${kind} `)]
  const extended = extendedText(support.extended_until)
  const more = extended === '' ? [] : [safe(extended)]
  return [...whose, ...words, ...more].map((piece) => ({ ...piece, tone }))
}

/** `reason`: a clause. */
export const unknownSupportSaid = (reason: string): Said =>
  say`The end of support of Kubernetes is not known: ${{ text: reason, reveals: 'version' }}.`
