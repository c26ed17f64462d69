import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { count as plural } from '../util/words.ts'
import { hasState } from '../views/state.ts'
import { addExcepted, type ExceptionCounts, type Exceptions } from './exception.ts'
import type { Policy } from './policy.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { unreadText } from './unread-text.ts'
import { maxEvidence, type Violation, violationOfArtifact } from './violation.ts'

interface CompromisedEvidence {
  freshness: ReceivedFreshness | undefined
  exceptions: Exceptions
  policy: Policy
}

/**
 * Fails if an artifact is known to be malicious. Unknown artifacts do not make it undecided, unless the policy requires a
 * minimum coverage.
 */
export function judgeCompromised({ freshness, exceptions, policy }: CompromisedEvidence): RuleVerdict {
  if (!freshness) {
    const note = 'It is not known what runs'
    return policy.minCoverage === undefined ? { ...decided(false, reasonFor(0)), notes: [note] } : undecided(note)
  }
  const { items } = freshness
  const exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  const counting = items.filter((item) => {
    const exception = hasState(item, 'compromised') ? exceptions.forArtifact(item) : undefined
    if (exception) addExcepted(exceptedBy, exception)
    return hasState(item, 'compromised') && !exception
  })
  const judged = {
    ...decided(counting.length > 0, reasonFor(counting.length)),
    violations: counting.slice(0, maxEvidence).map(toViolation),
    total: counting.length,
    excepted: exceptedBy.file + exceptedBy.server,
    exceptedBy,
  }
  const known = items.filter(({ source_product_id }) => source_product_id !== null).length
  const open = `${items.length - known} of ${plural(items.length, 'artifact')} of unknown projects`
  if (counting.length === 0 && known < (policy.minCoverage ?? 0) * items.length) return undecided(open)
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
