import { string } from '../../text.ts'

/** Kinds of Trivy operator reports that relt reads, namespaced or cluster-scoped. */
const kinds = [
  'VulnerabilityReport',
  'ConfigAuditReport',
  'ExposedSecretReport',
  'RbacAssessmentReport',
  'InfraAssessmentReport',
  'ComplianceReport',
] as const

export const operatorGroup = 'aquasecurity.github.io'

/** Kind of report, without `Cluster`; undefined for any other object. */
export function toOperatorKind({ apiVersion, kind }: Record<string, unknown>): (typeof kinds)[number] | undefined {
  const group = string(apiVersion)?.split('/')[0]?.toLowerCase()
  const name = string(kind)
    ?.toLowerCase()
    .replace(/^cluster/, '')
  return (group ?? operatorGroup) === operatorGroup ? kinds.find((each) => each.toLowerCase() === name) : undefined
}
