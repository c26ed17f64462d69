import type { CiFinding } from '../../../ci/report.ts'
import type { ReceivedComparison } from '../../../contract/received/cluster-report.ts'
import type { Finding } from '../../../contract/scan-finding.ts'
import { Exceptions, sourceText } from '../../../gate/exception.ts'
import type { Policy } from '../../../gate/policy.ts'
import type { ListedFinding } from '../../../reports/list-findings.ts'

/** Every finding of a run with its state against the previous run, and its suppression. */
export function ciFindings(
  findings: ListedFinding[],
  comparison: ReceivedComparison | undefined,
  policy: Policy,
  today: string,
): CiFinding[] {
  const exceptions = new Exceptions(policy.exceptions, today)
  const fingerprints = (list: { fingerprint: string | null }[] = []) => new Set(list.map((each) => each.fingerprint))
  const came = fingerprints(comparison?.new_findings)
  const updated = fingerprints([...(comparison?.regressed_findings ?? []), ...(comparison?.changed_findings ?? [])])
  const baselineFor = (fingerprint: string) =>
    came.has(fingerprint) ? 'new' : updated.has(fingerprint) ? 'updated' : 'unchanged'
  return findings.map(({ suppressed, recommendation = null, url = null, ...finding }) => ({
    ...finding,
    help: recommendation,
    helpUri: url,
    baseline: comparison && baselineFor(finding.fingerprint),
    suppression: suppressed ? { kind: 'inSource', reason: suppressed.reason } : byException(exceptions, finding),
  }))
}

function byException(exceptions: Exceptions, finding: Finding): CiFinding['suppression'] {
  const exception = exceptions.forFinding(finding)
  return exception && { kind: 'external', reason: exception.reason, source: sourceText(exception) }
}
