import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { markedScore, whyNoChange } from '../views/score.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'

export function judgeScore(floor: number, run: ReceivedRun): RuleVerdict {
  const { score } = run
  if (score === null) return undecided('The run has no score')
  return decided(score < floor, `The score is ${markedScore(score, run)}; the minimum is ${floor}`)
}

export function judgeScoreDrop(limit: number, comparison: ReceivedComparison): RuleVerdict {
  const { from, to, score_delta } = comparison
  if (score_delta === null) return undecided(`No change of the score is known: ${whyNoChange(comparison)}`)
  const [before, after] = [from, to].map((run) => markedScore(run?.score, run ?? {}) ?? '-')
  const reason = `The score went from ${before} to ${after}; it may drop by ${limit}`
  return decided(-score_delta > limit, reason)
}
