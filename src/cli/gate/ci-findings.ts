import type { CiFinding } from '../../ci/report.ts'
import type { Comparison } from '../../contract/received/cluster-report.ts'
import { Exceptions } from '../../gate/exception.ts'
import type { Policy } from '../../gate/policy.ts'
import type { ListedFinding } from '../../reports/list-findings.ts'

/** Every finding of a run with how it stands against the run before, and why an exception lets it pass. */
export function ciFindings(
  findings: ListedFinding[],
  comparison: Comparison | undefined,
  policy: Policy,
  today: string,
): CiFinding[] {
  const exceptions = new Exceptions(policy.exceptions, today)
  const fingerprints = (list: { fingerprint: string | null }[] = []) => new Set(list.map((each) => each.fingerprint))
  const came = fingerprints(comparison?.new_findings)
  const regressed = fingerprints(comparison?.regressed_findings)
  const baselineOf = (fingerprint: string) =>
    came.has(fingerprint) ? 'new' : regressed.has(fingerprint) ? 'updated' : 'unchanged'
  return findings.map((finding) => ({
    ...finding,
    baseline: comparison && baselineOf(finding.fingerprint),
    suppressed: exceptions.forFinding(finding)?.reason,
  }))
}
