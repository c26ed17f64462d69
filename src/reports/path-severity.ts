import type { RiskPath } from '../contract/risk-path.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'

const severities = new Map<string, FindingSeverity>(
  Object.entries({
    urgent: 'critical',
    critical: 'critical',
    high: 'high',
    medium: 'medium',
    low: 'low',
  }),
)

/** Severity by the scanner's priority; null for an unknown word. */
export function severityOfPath({ fix_priority }: Pick<RiskPath, 'fix_priority'>) {
  return severities.get(fix_priority?.toLowerCase() ?? '') ?? null
}
