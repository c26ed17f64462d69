import type { Court } from './court.ts'
import { canMove, changesFor, isVerdict } from './judge-changes.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'

/** Undecided if the score would be too low with all unread checks failed. */
export function judgeScore({ limit }: RuleOf<'score'>, { run }: Court): RuleVerdict {
  const { score, score_floor = score } = run
  if (score === null) return undecided('The run has no score', 'report')
  const judged = decided(score < limit, `The score is ${score}; the minimum is ${limit}`)
  if (judged.verdict === 'failed' || (score_floor ?? score) >= limit) return judged
  const reason = `The score is ${score}, and may be as low as ${Math.floor(score_floor ?? 0)} with what was not read`
  return undecided(reason, 'score', judged)
}

/** A falling score moves no baseline. */
export function judgeScoreDrop(rule: RuleOf<'score-drop'>, court: Court): RuleVerdict {
  const changes = changesFor(rule, court)
  if (isVerdict(changes)) return changes
  const { takenIn, why } = changes
  if (why === 'new_subject') return { ...decided(false, 'It has no earlier score'), moves: { held: [] } }
  const { from, to, score_delta, common_score_delta = null } = takenIn?.comparison ?? changes.comparison!
  const delta = score_delta ?? common_score_delta
  if (delta === null) {
    const is =
      to?.score == null ? 'The run has no score' : from?.score == null ? 'The baseline has no score' : undefined
    if (is) return undecided(is, 'report')
    const reason = 'The two scans did not look at the same, so their scores cannot be compared'
    return undecided(reason, 'score', decided(false, 'The scores are not compared'))
  }
  const after =
    score_delta === null ? `${from?.score} and ${delta} by the same checks` : `${from?.score} to ${to?.score}`
  const judged = decided(-delta > rule.limit, `The score went from ${after}; it may drop by ${rule.limit}`)
  return { ...judged, ...(delta >= 0 && !takenIn && canMove(changes) && { moves: { held: [] } }) }
}
