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
  /** Why it could not be decided, where `--allow-unknown` let it pass all the same. */
  allowedUnknown?: string
  /** Why it is undecided, where something can be done about it. */
  lacks?: Lack
}

/** The run has no earlier one, or it is smaller than the accepted scope. */
export type Lack = 'earlier_run' | 'accepted_scope'

/** Evidence that a rule lacks. */
export interface Gaps {
  /** Why a rule that nothing breaks cannot be decided, a sentence each. */
  open: string[]
  /** Gaps that the policy accepts, a sentence each. */
  accepted: string[]
  /** Of the first that is open. */
  lacks?: Lack | undefined
}

/** A rule that passes although it cannot be decided. */
export function passUnknown(judged: RuleVerdict, gap: string, notes: string[] = []): RuleVerdict {
  return { ...judged, allowedUnknown: gap, notes: [`Allowed by --allow-unknown: ${gap}`, ...notes, ...judged.notes] }
}

export function undecided(reason: string): RuleVerdict {
  return { verdict: 'undecided', reason, violations: [], total: 0, excepted: 0, notes: [] }
}

export function decided(failed: boolean, reason: string): RuleVerdict {
  return { ...undecided(reason), verdict: failed ? 'failed' : 'passed' }
}
