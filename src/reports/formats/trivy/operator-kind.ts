import { string } from '../../text.ts'

/** Reports of Trivy's operator that are read, of a namespace or of the whole cluster. */
const kinds = [
  'VulnerabilityReport',
  'ConfigAuditReport',
  'ExposedSecretReport',
  'RbacAssessmentReport',
  'InfraAssessmentReport',
  'ComplianceReport',
] as const

export const operatorGroup = 'aquasecurity.github.io'

/** `VulnerabilityReport` for a `ClusterVulnerabilityReport` too; undefined for what is no such report. */
export function toOperatorKind({ apiVersion, kind }: Record<string, unknown>): (typeof kinds)[number] | undefined {
  const group = string(apiVersion)?.split('/')[0]?.toLowerCase()
  const name = string(kind)
    ?.toLowerCase()
    .replace(/^cluster/, '')
  return (group ?? operatorGroup) === operatorGroup ? kinds.find((each) => each.toLowerCase() === name) : undefined
}
