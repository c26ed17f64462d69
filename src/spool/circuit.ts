import type { UnixSeconds } from '../util/time.ts'

/** Circuit breaker of a server that could not accept uploads. */
export interface Circuit {
  /** Consecutive failures. */
  failures: number
  /** No requests are sent before this time. */
  notBefore: UnixSeconds
}

const firstSeconds = 5
const longestSeconds = 900
/** Limit for `Retry-After`. */
const longestRetryAfter = 3600

/** Whether requests may be sent. A time further ahead than any pause was set before the clock went back. */
export function isPassable(circuit: Circuit | undefined, now: UnixSeconds) {
  return !circuit || circuit.notBefore <= now || circuit.notBefore > now + longestRetryAfter
}

/**
 * The circuit after another failure. The pause is random up to a limit that doubles with each failure, so that clients which
 * failed together do not retry together. `random` is from 0 to below 1.
 */
export function openCircuit(
  before: Circuit | undefined,
  { now, retryAfter, random }: { now: UnixSeconds; retryAfter: number | undefined; random: number },
) {
  const failures = (before?.failures ?? 0) + 1
  const bound = Math.min(longestSeconds, firstSeconds * 2 ** (failures - 1))
  const pause = Math.max(1, Math.ceil(bound * random), Math.min(retryAfter ?? 0, longestRetryAfter))
  return { failures, notBefore: now + pause }
}
