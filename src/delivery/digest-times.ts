import { Cron } from 'croner'
import { type Weekday, weekdays } from '../contract/choices.ts'
import { remember } from '../util/remember.ts'
import { daySeconds, type UnixSeconds } from '../util/time.ts'

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
export function textOfRule({ period, hour, weekday, timeZone }: DigestRule): string {
  return `0 ${hour} * * ${period === 'weekly' ? (weekdays.indexOf(weekday) + 1) % 7 : '*'} ${timeZone}`
}

/**
 * The next digest after a time. If the clock skips its hour, it is due at the end of the gap; if the clock repeats the hour,
 * at the first occurrence.
 */
export function nextDigest(rule: DigestRule, after: UnixSeconds): UnixSeconds {
  const next = toCron(rule).nextRun(new Date(after * 1000))
  return Math.floor(next!.getTime() / 1000)
}

interface Span {
  /** Start, exclusive. */
  from: UnixSeconds
  /** End, inclusive. */
  to: UnixSeconds
}

/**
 * The spans between digests of a period that contain at least one of the times, and end within the period. The first one
 * starts with the period. Computes about one local time per event, however long the period is.
 */
export function digestWindows(rule: DigestRule, times: readonly UnixSeconds[], { from, to }: Span): Span[] {
  const windows: Span[] = []
  let last = from
  for (const at of times.toSorted((a, b) => a - b)) {
    if (at <= last) continue
    let start = at - longest[rule.period] > last ? nextDigest(rule, at - longest[rule.period]) : last
    let end = nextDigest(rule, start)
    while (end < at) {
      start = end
      end = nextDigest(rule, start)
    }
    if (end > to) break
    windows.push({ from: start, to: end })
    last = end
  }
  return windows
}

/** More than the seconds between two digests, including clock changes. */
const longest = { daily: 2 * daySeconds, weekly: 9 * daySeconds }

const crons = new Map<string, Cron>()

function toCron(rule: DigestRule): Cron {
  const text = textOfRule(rule)
  return remember(crons, text, () => {
    // There are few zones, but anyone may set one.
    if (crons.size >= 1000) crons.clear()
    const pattern = text.slice(0, text.lastIndexOf(' '))
    return new Cron(pattern, { mode: '5-part', timezone: rule.timeZone, paused: true })
  })
}
