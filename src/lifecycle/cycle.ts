import type { Eol } from '../contract/eol.ts'

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

/** End of support of the cycle that a version, given by its numbers, belongs to. */
export type EolReader = (segments: readonly string[]) => Eol | undefined

/**
 * Of several cycles that begin like the version, the longest counts. Zeros before a number do not count: Ubuntu's 18.04
 * is cycle 18.04. The last day of support is still supported; `today` is `YYYY-MM-DD`.
 */
export function readCycles(cycles: readonly Cycle[], today: string): EolReader {
  if (cycles.length === 0) return () => undefined
  const byName = new Map<string, Eol>()
  const lengths = new Set<number>()
  for (const cycle of cycles) {
    const name = withoutZeros(cycle.cycle)
    lengths.add(name.split('.').length)
    if (!byName.has(name)) byName.set(name, toEol(cycle, today))
  }
  const longestFirst = [...lengths].filter((length) => length <= mostSegments).sort((a, b) => b - a)
  return (segments) => {
    for (const length of longestFirst) {
      const found = length > segments.length ? undefined : byName.get(withoutZeros(beginning(segments, length)))
      if (found) return found
    }
    return undefined
  }
}

/** Quicker than a slice that is joined: this is asked for each release of a project. */
function beginning(segments: readonly string[], length: number): string {
  let text = segments[0]!
  for (let index = 1; index < length; index++) text += `.${segments[index]}`
  return text
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
