import type { ReceivedFinding, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import type { Reason } from './reason.ts'

/** Limit of violations per rule; the others are only counted. */
export const maxEvidence = 20

/** Placeholder for fields that another server does not return. */
const notKnown = 'not known'

/** A violation of a rule. */
export interface Violation<R = Reason> {
  kind: 'finding' | 'artifact' | 'risk_path' | 'aks_blocker'
  /** Id of the check, or key of the artifact, as exceptions name it; or id of the risk path. */
  id: string
  name: string
  severity: FindingSeverity | null
  namespace: string | null
  resource: string | null
  message: R
  fingerprint: string | null
}

/** For a violation that is not about one place. */
export const nowhere = { severity: null, namespace: null, resource: null, fingerprint: null }

export function violationOfFinding(finding: ReceivedFinding): Violation {
  const { check_id, check_name, severity, namespace, resource, message, fingerprint } = finding
  return {
    kind: 'finding',
    id: check_id ?? notKnown,
    name: check_name ?? notKnown,
    severity,
    namespace,
    resource,
    message: message ?? notKnown,
    fingerprint,
  }
}

export function violationOfArtifact(item: ReceivedFreshnessItem, severity: FindingSeverity | null): Violation {
  const { artifact_key, display_name, namespace, reason } = item
  return {
    kind: 'artifact',
    id: artifact_key ?? notKnown,
    name: display_name ?? notKnown,
    severity,
    namespace,
    resource: null,
    message: reason ?? notKnown,
    fingerprint: null,
  }
}
