import { shown } from '../not-run-text.ts'
import { number } from './values.ts'

/** What a report counts of itself, beside how many of it are listed. */
export interface Count {
  /** `failed tests`. */
  noun: string
  /** As the report states it: null and undefined for nothing. */
  counted: unknown
  listed: number
  /** What passed: then the report must not list more than it counts. */
  isPassed?: boolean
}

/** Why the totals of a report, or of a part of it, show that it hides findings. `what` counts them: `its summary`. */
export function contradictionFor(what: string, counts: Count[]): string | undefined {
  for (const { noun, counted, listed, isPassed = false } of counts) {
    if (counted === undefined || counted === null) continue
    const stated = number(counted)
    if (stated === undefined) return `${what} counts ${shown(counted)} ${noun}`
    if (isPassed ? listed > stated : stated > listed) {
      return `${what} counts ${stated} ${noun}, and ${listed} ${listed === 1 ? 'is' : 'are'} listed`
    }
  }
  return undefined
}

/**
 * The same by severity, from the worst: a finding may be listed as a worse one than it is counted, not as a lesser one.
 * `listed` has the numbers of each severity, in the same order.
 */
export function contradictionBySeverity(
  what: string,
  counted: [noun: string, counted: unknown][],
  listed: number[],
): string | undefined {
  let sum = 0
  let found = 0
  const counts = counted.map(([noun, value], i): Count => {
    const stated = value === undefined || value === null ? 0 : (number(value) ?? Number.NaN)
    sum += stated
    found += listed[i] ?? 0
    return { noun, counted: Number.isNaN(stated) ? value : sum, listed: found }
  })
  return contradictionFor(what, counts)
}
