import { wallAt } from '../util/local-time.ts'
import { remember } from '../util/remember.ts'
import type { UnixSeconds } from '../util/time.ts'

/** Offsets of zones change only at full quarters of an hour. */
const stepSeconds = 900
const known = new Map<string, Map<UnixSeconds, number>>()
const mostKnown = 50_000

/**
 * Minutes by which the zone is ahead of UTC. Offsets with seconds, which ended decades ago, are rounded. Cached, because date
 * formatting takes a thousand times as long.
 */
export function offsetMinutes(timeZone: string, at: UnixSeconds) {
  if (timeZone === 'UTC') return 0
  const offsets = remember(known, timeZone, () => new Map<UnixSeconds, number>())
  const start = Math.floor(at / stepSeconds) * stepSeconds
  return remember(offsets, start, () => {
    if (offsets.size >= mostKnown) offsets.clear()
    return Math.round((wallAt(timeZone, start) - start) / 60)
  })
}

/** Minutes since midnight in the zone. */
export function minuteOfDay(timeZone: string, at: UnixSeconds) {
  return modulo(Math.floor(at / 60) + offsetMinutes(timeZone, at), 1440)
}

export const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
