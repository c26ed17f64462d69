import { hasState } from '../lifecycle/has-state.ts'

import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import { findFacts } from './facts.ts'
import type { RuleOf, StateRuleKind } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { violationOfArtifact } from './violation.ts'

/** Fails if more artifacts than allowed are in the state that the rule names. */
export function judgeStates({ kind, allowed }: RuleOf<StateRuleKind>, court: Court): RuleVerdict {
  const { freshness, exceptions } = court
  if (!freshness) return undecided({ code: 'no_freshness' })
  const inState = freshness.items.filter((item) => hasState(item, kind))
  const { counting, exceptedBy } = divideExcepted(inState, (item) => exceptions.forArtifact(item))
  const reason = { code: 'in_state' as const, count: counting.length, state: kind, allowed }
  const violations = counting.map((item) => violationOfArtifact(item, null))
  const { gap, notes } = findFacts(kind, { ...court, freshness })
  const judged = { ...decided(counting.length > allowed, reason, violations), exceptedBy, notes }
  return judged.verdict === 'failed' || !gap ? judged : undecided(gap.reason, gap.part, judged)
}
