import { string } from '../../text.ts'
import { kindIn, type Values } from '../values.ts'

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
export const toOperatorKind = ({ apiVersion, kind }: Values) =>
  kindIn(kinds, operatorGroup, { apiVersion, kind: string(kind)?.replace(/^cluster/i, '') })
