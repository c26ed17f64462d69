import { daySeconds, formatDay } from '../util/time.ts'

/** Age in days after which runs are stale. */
export const staleDays = 30

/** Days before a support end from which support ends soon. */
export const supportSoonDays = 90

/** Days before an expiry from which an exception or key expires soon. */
export const expirySoonDays = 14

/** Days for which ended exceptions are still shown as expired. */
export const endedDays = 30

/** Days for which an exception can wait for a release. */
export const maxReleaseDays = 180

/** Whether a day or time, such as `2026-09-30`, is in the past or within this many days. `now` is in unix seconds. */
export const isWithin = (day: string, days: number, now: number) =>
  day.slice(0, 10) <= formatDay(now + days * daySeconds)
