import { daySeconds, type UnixSeconds } from '../util/time.ts'

/** Seconds between two attempts. */
const delays = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const spread = 0.2
const longestRetryAfter = 3600

/** A target with only failures for this long is disabled. */
export const patienceSeconds = 5 * daySeconds

interface FailedAttempt {
  /** Number of completed attempts, including this one. */
  attempts: number
  now: UnixSeconds
  /** From the receiver's `Retry-After`. */
  retryAfterSeconds: number | null
  /** Random number from 0 to 1, for jitter. */
  random: number
}

/** When the next attempt is due; undefined after the last one. */
export function nextAttempt({ attempts, now, retryAfterSeconds, random }: FailedAttempt): UnixSeconds | undefined {
  const delay = delays[attempts - 1]
  if (delay === undefined) return undefined
  const spreadDelay = delay * (1 - spread + 2 * spread * random)
  return Math.ceil(now + Math.max(spreadDelay, Math.min(retryAfterSeconds ?? 0, longestRetryAfter)))
}

const failuresUntilOpen = 5
const [firstPause, longestPause] = [30, 900]

/** Seconds to pause a host after this many consecutive failures: no answer, or 5xx. */
export function pauseOfHost(failures: number) {
  if (failures < failuresUntilOpen) return 0
  return Math.min(longestPause, firstPause * 2 ** Math.min(10, failures - failuresUntilOpen))
}
