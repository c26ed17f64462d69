import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'

export function judgeScore(floor: number, { score }: ReceivedRun): RuleVerdict {
  if (score === null) return undecided('The run has no score')
  return decided(score < floor, `The score is ${score}; the minimum is ${floor}`)
}

export function judgeScoreDrop(limit: number, { from, to, score_delta }: ReceivedComparison): RuleVerdict {
  if (score_delta === null) return undecided(`The ${to?.score == null ? '' : 'earlier '}run has no score`)
  const reason = `The score went from ${from?.score ?? '-'} to ${to?.score ?? '-'}; it may drop by ${limit}`
  return decided(-score_delta > limit, reason)
}
