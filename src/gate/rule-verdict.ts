import type { ExceptionCounts } from './exception.ts'
import { maxEvidence, type Violation } from './violation.ts'

export type Verdict = 'passed' | 'failed' | 'undecided'

const order: Verdict[] = ['failed', 'undecided', 'passed']

/** Sort order: worst verdict first. */
export const worstFirst = (a: Verdict, b: Verdict): number => order.indexOf(a) - order.indexOf(b)

/** Result of one rule. */
export interface RuleVerdict {
  verdict: Verdict
  reason: string
  violations: Violation[]
  total: number
  /** Number of items that exceptions let pass, by their origin. */
  exceptedBy?: ExceptionCounts
  notes: string[]
  /** Why it is undecided, if `--allow-unknown` let it pass. */
  allowedUnknown?: string
  /** Why it is undecided, if the user can do something about it. */
  lacks?: Lack
}

/** The run has no earlier one, or its scope is smaller than the accepted one. */
export type Lack = 'earlier_run' | 'accepted_scope'

/** Evidence that a rule lacks. */
export interface Gaps {
  /** Why a rule without violations is undecided, one sentence each. */
  open: string[]
  /** Gaps that the policy accepts, one sentence each. */
  accepted: string[]
  /** Reason of the first open gap. */
  lacks?: Lack | undefined
}

/** Lets an undecided rule pass. */
export function passUnknown(judged: RuleVerdict, gap: string, notes: string[] = []): RuleVerdict {
  return { ...judged, allowedUnknown: gap, notes: [`Allowed by --allow-unknown: ${gap}`, ...notes, ...judged.notes] }
}

export function undecided(reason: string): RuleVerdict {
  return { verdict: 'undecided', reason, violations: [], total: 0, notes: [] }
}

export function decided(failed: boolean, reason: string, violations: readonly Violation[] = []): RuleVerdict {
  return {
    ...undecided(reason),
    verdict: failed ? 'failed' : 'passed',
    violations: violations.slice(0, maxEvidence),
    total: violations.length,
  }
}
