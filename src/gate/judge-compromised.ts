import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { hasState } from '../lifecycle/has-state.ts'
import { count as plural } from '../util/words.ts'
import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict } from './rule-verdict.ts'
import { unreadText } from './unread-text.ts'
import { type Violation, violationOfArtifact } from './violation.ts'

/** Fails if an artifact is known to be malicious. Unknown artifacts do not make it undecided. */
export function judgeCompromised(
  _: RuleOf<'compromised'>,
  { freshness, exceptions }: Pick<Court, 'freshness' | 'exceptions'>,
): RuleVerdict {
  if (!freshness) return { ...decided(false, reasonFor(0)), notes: ['It is not known what runs'] }
  const { items } = freshness
  const planted = items.filter((item) => hasState(item, 'compromised'))
  const { counting, exceptedBy } = divideExcepted(planted, (item) => exceptions.forArtifact(item))
  const judged = {
    ...decided(counting.length > 0, reasonFor(counting.length), counting.map(toViolation)),
    exceptedBy,
  }
  const known = items.filter(({ source_product_id }) => source_product_id !== null).length
  const open = `${items.length - known} of ${plural(items.length, 'artifact')} of unknown projects`
  const isSilent = items.length > 0 && items.every(({ states }) => states === undefined)
  return {
    ...judged,
    notes: [
      ...(isSilent ? ['The server does not report what is compromised'] : []),
      ...(known < items.length ? [open] : []),
      ...(freshness.coverage?.gaps ?? []).slice(0, 1).map(unreadText),
    ],
  }
}

const reasonFor = (count: number): string => `${plural(count, 'compromised artifact')}; 0 allowed`

function toViolation(item: ReceivedFreshnessItem): Violation {
  const violation = violationOfArtifact(item, 'critical')
  return { ...violation, message: item.recommendation || violation.message }
}
