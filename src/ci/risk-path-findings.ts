import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import type { RiskPath } from '../contract/risk-path.ts'
import { severityOfPath } from '../reports/path-severity.ts'
import { type CiFinding, toFingerprint } from './report.ts'

/** One finding per open risk path of a run. */
export function riskPathFindings(
  { risk_paths: paths }: Pick<ReceivedRun, 'risk_paths'>,
  comparison: Pick<ReceivedComparison, 'risk_paths'> | undefined,
): CiFinding[] {
  const changes = comparison?.risk_paths
  const opened = new Set(changes?.opened.map(toKey))
  const unknown = new Set(changes?.incomparable.map(toKey))
  return (paths ?? [])
    .filter(({ is_open }) => is_open)
    .map((path) => ({
      check_id: path.id,
      check_name: path.name,
      category: 'Risk paths',
      namespace: null,
      resource: null,
      severity: severityOfPath(path) ?? 'unknown',
      message: formatMessage(path),
      value: null,
      fingerprint: toFingerprint(`risk-path ${toKey(path)}`),
      baseline: !changes || unknown.has(toKey(path)) ? undefined : opened.has(toKey(path)) ? 'new' : 'unchanged',
      suppression: undefined,
    }))
}

const toKey = ({ kind, id }: Pick<RiskPath, 'kind' | 'id'>) => `${kind} ${id}`

function formatMessage({ name, summary, evidence, triggered_by }: RiskPath) {
  const checks = evidence.map(({ check_id, findings }) => `${check_id} (${findings})`)
  const basis = checks.length > 0 ? checks : triggered_by
  return [`${name}.`, summary, basis.length > 0 ? `Evidence: ${basis.join(', ')}.` : null].filter(Boolean).join(' ')
}
