import { daySeconds, type UnixSeconds } from '../util/time.ts'
import type { ScheduledJob } from './read-config.ts'
import type { Schedule } from './schedule.ts'

const known = new WeakMap<ScheduledJob, number>()

/** The longest time between two occurrences of a job, in seconds; undefined without a schedule. */
export function toInterval(job: ScheduledJob, now: UnixSeconds): number | undefined {
  const { times, every, jitter } = job
  if (!times) return undefined
  let interval = known.get(job)
  if (interval === undefined) {
    interval = Math.max(60, (every ?? longestGap(times, now)) + jitter)
    known.set(job, interval)
  }
  return interval
}

const hour = 3600
/** The longest gap of a schedule with weekdays occurs within this time. */
const windowSeconds = 8 * daySeconds
/** Gaps of less than an hour occur within an hour. */
const maxConsecutive = 60

/** Checks the instants of an hour, and then the gap around each hour of the window. */
function longestGap(schedule: Schedule, now: UnixSeconds) {
  let longest = 0
  let at = schedule.next(now)
  for (let count = 0; at !== undefined && count < maxConsecutive && at < now + windowSeconds; count++) {
    const next = schedule.next(at)
    if (next !== undefined) longest = Math.max(longest, next - at)
    at = next
  }
  let time = now
  while (time < now + windowSeconds) {
    const [before, after] = [schedule.latest(time), schedule.next(time)]
    if (before !== undefined && after !== undefined) longest = Math.max(longest, after - before)
    time = Math.max(time + hour, after ?? 0)
  }
  return longest
}
