import type { Eol } from '../contract/cluster-report.ts'

/** A release cycle as endoflife.date describes it. */
export interface Cycle {
  /** The first numbers of its versions: `1.33`, `12`, `2024.10`. */
  cycle: string
  /** The last day of its support, `YYYY-MM-DD`; where nobody names one, whether support has ended. */
  eol: string | boolean
  /** Whether its support is a long one, or from which day on. */
  lts: string | boolean
  /** Its last release; absent if unknown. */
  latest?: string | null | undefined
}

const mostSegments = 4

/**
 * Of the cycle that a version belongs to, the longest where several begin alike. Zeros before a number do not count:
 * Ubuntu's 18.04 is cycle 18.04. The last day of support is still one.
 */
export function endOfLifeAmong(cycles: readonly Cycle[], segments: readonly string[], today: string): Eol | undefined {
  if (cycles.length === 0) return undefined
  for (let length = Math.min(mostSegments, segments.length); length > 0; length--) {
    const name = withoutZeros(segments.slice(0, length).join('.'))
    const found = cycles.find(({ cycle }) => withoutZeros(cycle) === name)
    if (found) return toEol(found, today)
  }
  return undefined
}

function withoutZeros(numbers: string): string {
  return numbers.includes('.0') || numbers.startsWith('0') ? numbers.replace(/(^|\.)0+(?=\d)/g, '$1') : numbers
}

function toEol({ cycle, eol, lts, latest }: Cycle, today: string): Eol {
  const isLts = typeof lts === 'string' ? lts <= today : lts
  const more = { is_lts: isLts, ...(latest && { latest }) }
  if (typeof eol === 'string') return { cycle, date: eol, is_eol: eol < today, ...more }
  return { cycle, date: null, is_eol: eol, ...more }
}
