import type { ExceptionCounts } from './exception.ts'
import type { Violation } from './violation.ts'

export type Verdict = 'passed' | 'failed' | 'undecided'

const order: Verdict[] = ['failed', 'undecided', 'passed']

/** For sorting. */
export const worstFirst = (a: Verdict, b: Verdict): number => order.indexOf(a) - order.indexOf(b)

/** Result of one rule. */
export interface RuleVerdict {
  verdict: Verdict
  reason: string
  violations: Violation[]
  total: number
  excepted: number
  /** Stores of the exceptions that let these pass. */
  exceptedBy?: ExceptionCounts
  notes: string[]
}

/** Evidence that a rule lacks. */
export interface Gaps {
  /** Why a rule that nothing breaks cannot be decided, a sentence each. */
  open: string[]
  /** Gaps that the policy accepts, a sentence each. */
  accepted: string[]
}

/** Begins the note of a rule that passed although it could not be decided. */
export const allowedUnknown = 'Allowed by --allow-unknown: '

/** Begins the note about what a run lacks of the accepted scope, and the policy accepts. */
export const acceptedScope = 'Accepted as out of scope: '

export function undecided(reason: string): RuleVerdict {
  return { verdict: 'undecided', reason, violations: [], total: 0, excepted: 0, notes: [] }
}

export function decided(failed: boolean, reason: string): RuleVerdict {
  return { ...undecided(reason), verdict: failed ? 'failed' : 'passed' }
}

export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`
}
