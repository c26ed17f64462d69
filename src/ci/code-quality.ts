import type { FindingSeverity } from '../contract/scan-finding.ts'
import { placePath } from './place-path.ts'
import type { CiFinding } from './report.ts'
import { oneLine, place, short } from './text.ts'

const severities: Record<FindingSeverity, string> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
  // An unknown severity may be any: shown, and never as harmless.
  unknown: 'major',
}

/** GitLab's code quality report: every finding that is not suppressed. */
export function renderCodeQuality(findings: CiFinding[]) {
  const issues = findings
    .filter(({ suppression }) => suppression === undefined)
    .map((finding) => ({
      description: short(`${place(finding)}: ${finding.message}`, 2000),
      check_name: oneLine(finding.check_id),
      fingerprint: finding.fingerprint,
      severity: severities[finding.severity],
      location: {
        path: placePath(finding.namespace ?? 'cluster', finding.resource ?? finding.check_id),
        lines: { begin: 1 },
      },
    }))
  return `${JSON.stringify(issues)}\n`
}
