import type { RiskPath } from '../contract/risk-path.ts'
import { severityOfPath } from '../reports/path-severity.ts'
import type { Court } from './court.ts'
import { canMove, changesFor, isVerdict } from './judge-changes.ts'
import type { Reason } from './reason.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import type { Violation } from './violation.ts'

/** Fails if a risk path opened since the baseline; undecided if one is not comparable. */
export function judgeRiskPaths(rule: RuleOf<'no-new-risk-path'>, court: Court): RuleVerdict {
  const changes = changesFor(rule, court)
  if (isVerdict(changes)) return changes
  const { risk_paths } = changes.takenIn?.comparison ?? changes.comparison!
  if (risk_paths === undefined) return undecided({ code: 'no_compared_paths' })
  if (risk_paths === null) return undecided({ code: 'no_paths' }, 'risk paths')
  const { opened, incomparable } = risk_paths
  const notes: Reason[] = incomparable
    .slice(0, 3)
    .map(({ id, name, reason }) => ({ code: 'path_incomparable', id, name, reason }))
  const more = incomparable.length - notes.length
  if (more > 0) notes.push({ code: 'more_paths', more })
  const judged = decided(opened.length > 0, { code: 'paths_opened', opened: opened.length }, opened.map(toViolation))
  if (opened.length === 0 && incomparable.length > 0) {
    return { ...undecided({ code: 'paths_incomparable', paths: incomparable.length }, 'risk paths', judged), notes }
  }
  const isMoving = opened.length === 0 && !changes.takenIn && canMove(changes)
  return { ...judged, notes, ...(isMoving && { moves: { held: [] } }) }
}

function toViolation(path: RiskPath): Violation {
  const { id, name, summary } = path
  const message = summary === null ? name : `${name}: ${summary}`
  const place = { namespace: null, resource: null }
  return { kind: 'risk_path', id, name, severity: severityOfPath(path), ...place, message, fingerprint: null }
}
