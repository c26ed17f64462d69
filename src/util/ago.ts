import { parseTimestamp } from './time.ts'
import { count } from './words.ts'

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `3 weeks ago`; for terminals only, data has the exact time. */
export function ago(timestamp: string, now: number) {
  const passed = inUnits(now - (parseTimestamp(timestamp) ?? now), units)
  return passed === undefined ? 'just now' : `${passed} ago`
}

/** `in 3 weeks`, or `expired`; for terminals only. */
export function until(timestamp: string, now: number) {
  const seconds = (parseTimestamp(timestamp) ?? now) - now
  if (seconds <= 0) return 'expired'
  // Days are more useful than "in 2 months", for example for a key with 89 days left.
  const usual = units.filter(([unit]) => unit !== 'month' && unit !== 'week')
  return `in ${inUnits(seconds, usual) ?? 'less than a minute'}`
}

/** In the largest unit that fits; undefined for less than a minute. */
function inUnits(seconds: number, allowed: readonly (typeof units)[number][]) {
  const [unit, length] = allowed.find((each) => seconds >= each[1]) ?? []
  return unit && count(Math.floor(seconds / length), unit)
}

interface Clock {
  isTerminal: boolean
  now: number
}

/** Relative on a terminal, exact elsewhere; null if unknown. Words such as `never` are unchanged. */
export function when(timestamp: string, clock: Clock): string
export function when(timestamp: string | null, clock: Clock): string | null
export function when(timestamp: string | null, { isTerminal, now }: Clock) {
  if (timestamp === null) return null
  return isTerminal && parseTimestamp(timestamp) !== undefined ? ago(timestamp, now) : timestamp
}
