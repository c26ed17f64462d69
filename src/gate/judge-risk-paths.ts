import type { ReceivedComparison } from '../contract/received/cluster-report.ts'
import type { RiskPath } from '../contract/risk-path.ts'
import { count as plural } from '../util/words.ts'
import { severityOfPath } from '../views/risk-path.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import type { Violation } from './violation.ts'

/** Fails if a risk path opened since the earlier run; undecided if one is not comparable. */
export function judgeRiskPaths({ risk_paths }: Pick<ReceivedComparison, 'risk_paths'>): RuleVerdict {
  if (risk_paths === undefined) return undecided('The server does not compare risk paths')
  if (risk_paths === null) return undecided('Neither report lists risk paths')
  const { opened, incomparable } = risk_paths
  const notes = incomparable.slice(0, 3).map(({ id, name, reason }) => `${name} (${id}) is not compared: ${reason}`)
  const more = incomparable.length - notes.length
  if (more > 0) notes.push(`${plural(more, 'more risk path is', 'more risk paths are')} not compared`)
  const reason = `${plural(opened.length, 'new risk path')}; 0 allowed`
  if (opened.length === 0 && incomparable.length > 0) {
    return { ...undecided(`${plural(incomparable.length, 'risk path')} cannot be compared`), notes }
  }
  return { ...decided(opened.length > 0, reason, opened.map(toViolation)), notes }
}

function toViolation(path: RiskPath): Violation {
  const { id, name, summary } = path
  const message = summary === null ? name : `${name}: ${summary}`
  const place = { namespace: null, resource: null }
  return { kind: 'risk_path', id, name, severity: severityOfPath(path), ...place, message, fingerprint: null }
}
