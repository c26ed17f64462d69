import { Cron } from 'croner'
import { type Weekday, weekdays } from '../contract/choices.ts'
import type { UnixSeconds } from '../util/time.ts'

export type DigestPeriod = 'daily' | 'weekly'

export interface DigestRule {
  period: DigestPeriod
  /** Of the user's clock, 0 to 23. */
  hour: number
  /** Of a weekly digest. */
  weekday: Weekday
  timeZone: string
}

/** The same text for rules with the same times. */
export function textOfRule({ period, hour, weekday, timeZone }: DigestRule): string {
  return `0 ${hour} * * ${period === 'weekly' ? (weekdays.indexOf(weekday) + 1) % 7 : '*'} ${timeZone}`
}

/**
 * The next digest after a time. Where clocks skip its hour, it is due at the end of the gap; where they repeat it, at the
 * first of both.
 */
export function nextDigest(rule: DigestRule, after: UnixSeconds): UnixSeconds {
  const next = cronOf(rule).nextRun(new Date(after * 1000))
  return Math.floor(next!.getTime() / 1000)
}

const crons = new Map<string, Cron>()

function cronOf(rule: DigestRule): Cron {
  const text = textOfRule(rule)
  const known = crons.get(text)
  if (known) return known
  const pattern = text.slice(0, text.lastIndexOf(' '))
  const cron = new Cron(pattern, { mode: '5-part', timezone: rule.timeZone, paused: true })
  // Zones are few, but anybody may name one.
  if (crons.size >= 1000) crons.clear()
  crons.set(text, cron)
  return cron
}
