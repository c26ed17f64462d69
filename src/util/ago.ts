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
export function ago(timestamp: string, now: number): string {
  const seconds = now - (parseTimestamp(timestamp) ?? now)
  for (const [unit, length] of units) {
    const many = Math.floor(seconds / length)
    if (many >= 1) return `${count(many, unit)} ago`
  }
  return 'just now'
}

/** `in 3 weeks`, or `expired`; for terminals only. */
export function until(timestamp: string, now: number): string {
  const seconds = (parseTimestamp(timestamp) ?? now) - now
  if (seconds <= 0) return 'expired'
  for (const [unit, length] of units) {
    const many = Math.floor(seconds / length)
    // Days are more useful than "in 2 months", for example for a key with 89 days left.
    if (unit !== 'month' && unit !== 'week' && many >= 1) return `in ${count(many, unit)}`
  }
  return 'in less than a minute'
}

interface Clock {
  isTerminal: boolean
  now: number
}

/** Relative on a terminal, exact elsewhere; null if unknown. Words such as `never` are unchanged. */
export function when(timestamp: string, clock: Clock): string
export function when(timestamp: string | null, clock: Clock): string | null
export function when(timestamp: string | null, { isTerminal, now }: Clock): string | null {
  if (timestamp === null) return null
  return isTerminal && parseTimestamp(timestamp) !== undefined ? ago(timestamp, now) : timestamp
}
