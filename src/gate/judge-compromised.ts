import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { hasState } from '../lifecycle/has-state.ts'

import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import { notCollected, type Reason } from './reason.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict } from './rule-verdict.ts'
import { type Violation, violationOfArtifact } from './violation.ts'

/** Fails if an artifact is known to be malicious. Unknown artifacts do not make it undecided. */
export function judgeCompromised(
  _: RuleOf<'compromised'>,
  { freshness, exceptions }: Pick<Court, 'freshness' | 'exceptions'>,
): RuleVerdict {
  if (!freshness) return { ...decided(false, reasonFor(0)), notes: [{ code: 'unknown_what_runs' }] }
  const { items } = freshness
  const planted = items.filter((item) => hasState(item, 'compromised'))
  const { counting, exceptedBy } = divideExcepted(planted, (item) => exceptions.forArtifact(item))
  const judged = {
    ...decided(counting.length > 0, reasonFor(counting.length), counting.map(toViolation)),
    exceptedBy,
  }
  const unknown = items.filter(({ source_product_id }) => source_product_id === null).length
  const isSilent = items.length > 0 && items.every(({ states }) => states === undefined)
  return {
    ...judged,
    notes: [
      ...(isSilent ? [{ code: 'no_compromised' as const }] : []),
      ...(unknown > 0 ? [{ code: 'unknown_projects' as const, unknown, artifacts: items.length }] : []),
      ...(freshness.coverage?.gaps ?? []).slice(0, 1).map(notCollected),
    ],
  }
}

const reasonFor = (count: number): Reason => ({ code: 'in_state', count, state: 'compromised', allowed: 0 })

function toViolation(item: ReceivedFreshnessItem): Violation {
  const violation = violationOfArtifact(item, 'critical')
  return { ...violation, message: item.recommendation || violation.message }
}
