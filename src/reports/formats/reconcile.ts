import { shown } from '../not-run-text.ts'
import { number } from './values.ts'

/** A count in a report, with the number of items it lists. */
export interface Count {
  /** `failed tests`. */
  noun: string
  /** As the report states it: null and undefined mean no count. */
  counted: unknown
  listed: number
  /** The count is of passed items: the report must not list more than it counts. */
  isPassed?: boolean
}

/**
 * Why the totals of a report, or of a part of it, show that it hides findings. `what` names the counting part: `its
 * summary`.
 */
export function contradictionFor(what: string, counts: Count[]) {
  for (const { noun, counted, listed, isPassed = false } of counts) {
    if (counted == null) continue
    const stated = number(counted)
    if (stated === undefined) return `${what} counts ${shown(counted)} ${noun}`
    if (isPassed ? listed > stated : stated > listed) {
      return `${what} counts ${stated} ${noun}, and ${listed} ${listed === 1 ? 'is' : 'are'} listed`
    }
  }
  return undefined
}

/**
 * Like `contradictionFor`, by severity, worst first: a finding may be listed with a higher severity than it is counted, not
 * with a lower one. `listed` has the number of each severity, in the same order.
 */
export function contradictionBySeverity(what: string, counted: [noun: string, counted: unknown][], listed: number[]) {
  let sum = 0
  let found = 0
  const counts = counted.map(([noun, value], i) => {
    const stated = value == null ? 0 : (number(value) ?? Number.NaN)
    sum += stated
    found += listed[i] ?? 0
    return { noun, counted: Number.isNaN(stated) ? value : sum, listed: found }
  })
  return contradictionFor(what, counts)
}
