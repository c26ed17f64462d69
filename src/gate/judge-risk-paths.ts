import type { RiskPath } from '../contract/risk-path.ts'
import { severityOfPath } from '../reports/path-severity.ts'
import { count as plural } from '../util/words.ts'
import type { Court } from './court.ts'
import { canMove, changesFor, isVerdict } from './judge-changes.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import type { Violation } from './violation.ts'

/** Fails if a risk path opened since the baseline; undecided if one is not comparable. */
export function judgeRiskPaths(rule: RuleOf<'no-new-risk-path'>, court: Court): RuleVerdict {
  const changes = changesFor(rule, court)
  if (isVerdict(changes)) return changes
  const { risk_paths } = changes.takenIn?.comparison ?? changes.comparison!
  if (risk_paths === undefined) return undecided('The server does not compare risk paths')
  if (risk_paths === null) return undecided('Neither report lists risk paths', 'risk paths')
  const { opened, incomparable } = risk_paths
  const notes = incomparable.slice(0, 3).map(({ id, name, reason }) => `${name} (${id}) is not compared: ${reason}`)
  const more = incomparable.length - notes.length
  if (more > 0) notes.push(`${plural(more, 'more risk path is', 'more risk paths are')} not compared`)
  const judged = decided(
    opened.length > 0,
    `${plural(opened.length, 'new risk path')}; 0 allowed`,
    opened.map(toViolation),
  )
  if (opened.length === 0 && incomparable.length > 0) {
    return {
      ...undecided(`${plural(incomparable.length, 'risk path')} cannot be compared`, 'risk paths', judged),
      notes,
    }
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
