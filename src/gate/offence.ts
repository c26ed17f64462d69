import type { Finding, FindingSeverity, FreshnessItem } from '../contract/cluster-report.ts'

/** Of a rule; the rest is counted. */
export const maxEvidence = 20

/** One thing that speaks against a rule. */
export interface Offence {
  kind: 'finding' | 'artifact'
  /** The id of the check, or the key of the artifact: what an exception names. */
  id: string
  name: string
  severity: FindingSeverity | null
  namespace: string | null
  resource: string | null
  message: string
  fingerprint: string | null
}

export function offenceOfFinding(finding: Finding): Offence {
  const { check_id, check_name, severity, namespace, resource, message, fingerprint } = finding
  return { kind: 'finding', id: check_id, name: check_name, severity, namespace, resource, message, fingerprint }
}

export function offenceOfArtifact(item: FreshnessItem, severity: FindingSeverity | null): Offence {
  const { artifact_key, display_name, namespace, reason } = item
  return {
    kind: 'artifact',
    id: artifact_key,
    name: display_name,
    severity,
    namespace,
    resource: null,
    message: reason,
    fingerprint: null,
  }
}
