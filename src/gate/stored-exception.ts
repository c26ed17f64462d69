import type { ExceptedFinding, StoredException } from '../contract/exception.ts'
import type { ReceivedFinding } from '../contract/received/cluster-report.ts'
import { type Exception, Exceptions } from './exception.ts'

/** Converts a server's exception to the form of those in a policy file. */
export function toException(stored: StoredException): Exception {
  const { fingerprint, check, namespace, resource, artifact, advisory, justification, environment } = stored
  const given = { fingerprint, check, namespace, resource, artifact, advisory, justification, environment }
  const { exception_id, cluster_name, reason, expires_on, created_by, state } = stored
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    ...(cluster_name !== null && { cluster: cluster_name }),
    reason,
    expires: expires_on,
    ...(stored.next_release && { next_release_of: stored.next_release.name }),
    ...(stored.finding && { finding: formatWords(stored.finding) }),
    ...(state === 'expired' && { ended: true }),
    source: `${exception_id} by ${created_by}`,
    origin: 'server',
  }
}

/** Whether it matches a finding of some cluster. An ended one can match, too, but covers nothing. */
export function matchesFinding(stored: StoredException, finding: ReceivedFinding): boolean {
  const exceptions = new Exceptions([toException(stored)], '')
  exceptions.forFinding(finding)
  return Object.values(exceptions.uses())
    .flat()
    .some(({ matched }) => matched > 0)
}

const formatWords = ({ check_id, namespace, resource, message }: ExceptedFinding): string =>
  `${[check_id, namespace, resource].filter((part) => part !== null).join(' ')}: ${message}`
