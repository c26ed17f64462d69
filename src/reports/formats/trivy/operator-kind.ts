import { string } from '../../read.ts'

/** Reports of Trivy's operator that are read, of a namespace or of the whole cluster. */
const kinds = new Set([
  'VulnerabilityReport',
  'ConfigAuditReport',
  'ExposedSecretReport',
  'RbacAssessmentReport',
  'InfraAssessmentReport',
])

export const operatorGroup = 'aquasecurity.github.io'

/** `VulnerabilityReport` for a `ClusterVulnerabilityReport` too; undefined for what is no such report. */
export function operatorKindOf({ apiVersion, kind }: Record<string, unknown>): string | undefined {
  const group = string(apiVersion)?.split('/')[0]
  const name = string(kind)?.replace(/^Cluster/, '')
  return name !== undefined && kinds.has(name) && (group ?? operatorGroup) === operatorGroup ? name : undefined
}
