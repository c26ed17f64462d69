import type { Court } from './court.ts'
import { canMove, changesFor, isVerdict } from './judge-changes.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'

/** Undecided if the score would be too low with all unread checks failed. */
export function judgeScore({ limit }: RuleOf<'score'>, { run }: Court): RuleVerdict {
  const { score, score_floor = score } = run
  if (score === null) return undecided({ code: 'no_score' }, 'report')
  const judged = decided(score < limit, { code: 'score', score, limit })
  if (judged.verdict === 'failed' || (score_floor ?? score) >= limit) return judged
  return undecided({ code: 'score_floor', score, floor: Math.floor(score_floor ?? 0) }, 'score', judged)
}

/** A falling score moves no baseline. */
export function judgeScoreDrop(rule: RuleOf<'score-drop'>, court: Court): RuleVerdict {
  const changes = changesFor(rule, court)
  if (isVerdict(changes)) return changes
  const { takenIn, why } = changes
  if (why === 'new_subject') return { ...decided(false, { code: 'no_earlier_score' }), moves: { held: [] } }
  const { from, to, score_delta, common_score_delta = null } = takenIn?.comparison ?? changes.comparison!
  const delta = score_delta ?? common_score_delta
  if (delta === null) {
    if (to?.score == null) return undecided({ code: 'no_score' }, 'report')
    if (from?.score == null) return undecided({ code: 'no_baseline_score' }, 'report')
    return undecided({ code: 'scores_incomparable' }, 'score', decided(false, { code: 'scores_not_compared' }))
  }
  const code = score_delta === null ? 'score_moved_in_common' : 'score_moved'
  const judged = decided(-delta > rule.limit, { code, from: from?.score, to: to?.score, delta, limit: rule.limit })
  return { ...judged, ...(delta >= 0 && !takenIn && canMove(changes) && { moves: { held: [] } }) }
}
