import type { Eol } from '../contract/eol.ts'

/** A release cycle as described by endoflife.date. */
export interface Cycle {
  /** Leading numbers of its versions: `1.33`, `12`, `2024.10`. */
  cycle: string
  /** Last day of support, `YYYY-MM-DD`; if unknown, whether support has ended. */
  eol: string | boolean
  /** Whether it has long-term support, or the day from which it has. */
  lts: string | boolean
  /** Its last release; absent if unknown. */
  latest?: string | null | undefined
  /** Last day of paid extended support. */
  extended?: string
}

const mostSegments = 4

/** Returns the support end of the cycle that a version, given by its numbers, belongs to. */
export type EolReader = (segments: readonly string[]) => Eol | undefined

/**
 * If several cycles are a prefix of the version, the longest counts. Leading zeros of a number do not count: Ubuntu's 18.04
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

/** Faster than joining a slice, because it is called for each release of a project. */
function beginning(segments: readonly string[], length: number) {
  let text = segments[0]!
  for (let index = 1; index < length; index++) text += `.${segments[index]}`
  return text
}

function withoutZeros(numbers: string) {
  return numbers.includes('.0') || numbers.startsWith('0') ? numbers.replace(/(^|\.)0+(?=\d)/g, '$1') : numbers
}

function toEol({ cycle, eol, lts, latest }: Cycle, today: string): Eol {
  const isLts = typeof lts === 'string' ? lts <= today : lts
  const more = { is_lts: isLts, ...(latest && { latest }) }
  if (typeof eol === 'string') return { cycle, date: eol, is_eol: eol < today, ...more }
  return { cycle, date: null, is_eol: eol, ...more }
}
