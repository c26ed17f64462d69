import { daySeconds } from '../util/time.ts'

/** Facts of the catalog and runs that are older than this many days are stale. */
export const staleDays = 30

/** Days before the end of a support in which it ends soon. */
export const supportSoonDays = 90

/** Days before an exception or a key expires in which it expires soon. */
export const expirySoonDays = 14

/** Days for which ended exceptions are still shown as expired. */
export const endedDays = 30

/** Days for which an exception can wait for a release. */
export const maxReleaseDays = 180

/** Whether a day or a time, such as `2026-09-30`, is over or comes within so many days. `now` is in unix seconds. */
export const isWithin = (day: string, days: number, now: number): boolean =>
  day.slice(0, 10) <= new Date((now + days * daySeconds) * 1000).toISOString().slice(0, 10)
