import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { number, object } from '../values.ts'
import type { SarifRule } from './rules.ts'

const levels = new Map<unknown, FindingSeverity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
])

/** By `security-severity` (0–10, as of CVSS) of the result or its rule, else by level, which is `warning` by default. */
export function severityOf(result: Record<string, unknown>, rule: SarifRule): FindingSeverity {
  const score = number(object(result.properties)['security-severity']) ?? number(rule.properties['security-severity'])
  if (score !== undefined && score > 0) {
    if (score >= 9) return 'critical'
    if (score >= 7) return 'high'
    return score >= 4 ? 'medium' : 'low'
  }
  return levels.get(result.level ?? rule.level) ?? 'medium'
}
