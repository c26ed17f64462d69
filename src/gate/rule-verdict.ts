import type { HeldBack } from '../contract/gate-baseline.ts'
import type { ExceptionCounts } from './exception.ts'
import type { Gap } from './gap.ts'
import type { Reason } from './reason.ts'
import { maxEvidence, type Violation } from './violation.ts'

export type Verdict = 'passed' | 'failed' | 'undecided'

const order: Verdict[] = ['failed', 'undecided', 'passed']

/** Sort order: worst verdict first. */
export const worstFirst = (a: Verdict, b: Verdict): number => order.indexOf(a) - order.indexOf(b)

/** Result of one rule. */
export interface RuleVerdict {
  verdict: Verdict
  reason: Reason
  violations: Violation[]
  total: number
  /** Number of items that exceptions let pass, by their origin. */
  exceptedBy?: ExceptionCounts
  notes: Reason[]
  /** What leaves it undecided. */
  gaps?: Gap[]
  /** The verdict if the policy accepts these gaps. */
  otherwise?: RuleVerdict
  /** It passed and used none of its allowance; with the findings that only an exception or a day let pass. */
  moves?: { held: HeldBack[] }
}

/**
 * `part`: what is not known, as the policy's key `undecided` names it. `otherwise`: the verdict if the policy accepts that
 * (default: passed).
 */
export function undecided(reason: Reason, part = 'server', otherwise = decided(false, reason)): RuleVerdict {
  const notes = otherwise.reason === reason ? otherwise.notes : [otherwise.reason, ...otherwise.notes]
  const gaps: Gap[] = [{ part, state: 'unknown', reason }]
  return { verdict: 'undecided', reason, violations: [], total: 0, notes, gaps, otherwise }
}

export function decided(failed: boolean, reason: Reason, violations: readonly Violation[] = []): RuleVerdict {
  return {
    verdict: failed ? 'failed' : 'passed',
    reason,
    violations: violations.slice(0, maxEvidence),
    total: violations.length,
    notes: [],
  }
}
