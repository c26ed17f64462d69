import { Cron } from 'croner'
import { type Weekday, weekdays } from '../contract/choices.ts'
import { remember } from '../util/remember.ts'
import type { UnixSeconds } from '../util/time.ts'

export type DigestPeriod = 'daily' | 'weekly'
/** Messages with a schedule of their own. */
export type ScheduledPeriod = DigestPeriod | 'fleet'

export interface DigestRule {
  period: DigestPeriod
  /** Hour in the user's time zone, 0 to 23. */
  hour: number
  /** Day of a weekly digest. */
  weekday: Weekday
  timeZone: string
}

/** A key that is equal for rules with the same times. */
export function textOfRule({ period, hour, weekday, timeZone }: DigestRule) {
  return `0 ${hour} * * ${period === 'weekly' ? (weekdays.indexOf(weekday) + 1) % 7 : '*'} ${timeZone}`
}

/**
 * The next digest after a time. If the clock skips its hour, it is due at the end of the gap; if the clock repeats the hour,
 * at the first occurrence.
 */
export function nextDigest(rule: DigestRule, after: UnixSeconds) {
  return Math.floor(
    toCron(rule)
      .nextRun(new Date(after * 1000))!
      .getTime() / 1000,
  )
}

const crons = new Map<string, Cron>()

function toCron(rule: DigestRule) {
  const text = textOfRule(rule)
  return remember(crons, text, () => {
    // There are few zones, but anyone may set one.
    if (crons.size >= 1000) crons.clear()
    return new Cron(text.slice(0, text.lastIndexOf(' ')), { mode: '5-part', timezone: rule.timeZone, paused: true })
  })
}
