import type { ReportSource } from './report-source.ts'

/** A kind of an operator's reports. */
export interface ReportKind {
  kind: string
  group: string
  plural: string
  /** Taken when the API server does not say which version it has. */
  version: string
  /** See `UnreadKind`. Empty when the report names all its checks, passed ones too, and no other kind has them. */
  category: string
  /** Reports that the API server answers with at once. */
  pageSize: number
  query?: Record<string, string>
  /** An operator with its default settings has reports of this kind. */
  expected?: boolean
  /** There is a report for each of them. */
  per?: 'workload' | 'container' | undefined
  /** A container whose image has a report of another container has none of its own. */
  isOfImage?: boolean
}

/** A report of all vulnerabilities of an image has some 100 KB. */
const largePage = 100
const page = 500
/** A manifest of an image has some megabytes. */
const manifestPage = 5

const trivy = (kind: string, category: string, more: Partial<ReportKind> = {}): ReportKind => ({
  ...{ kind, group: 'aquasecurity.github.io', plural: `${kind.toLowerCase()}s`, version: 'v1alpha1' },
  ...{ category, pageSize: category === 'Vulnerability' ? largePage : page },
  ...more,
})

/** This API server leaves `spec` out of a list unless it is asked for the whole. */
const kubescape = (kind: string, more: Partial<ReportKind> = {}): ReportKind => ({
  ...{ kind, group: 'spdx.softwarecomposition.kubescape.io', version: 'v1beta1' },
  plural: kind === 'VulnerabilityManifestSummary' ? 'vulnerabilitymanifestsummaries' : `${kind.toLowerCase()}s`,
  ...{ category: '', pageSize: largePage, query: { resourceVersion: 'fullSpec' }, expected: true, per: 'workload' },
  ...more,
})

const policy = (kind: string, group: string, version: string): ReportKind => ({
  ...{ kind, group, plural: `${kind.toLowerCase()}s`, version, category: '*', pageSize: page },
})

export const reportKinds: Record<ReportSource, ReportKind[]> = {
  'trivy-operator': [
    trivy('VulnerabilityReport', 'Vulnerability', { expected: true, per: 'container' }),
    trivy('ConfigAuditReport', 'Misconfiguration', { expected: true, per: 'workload' }),
    trivy('ExposedSecretReport', 'Secret', { expected: true, per: 'container', isOfImage: true }),
    trivy('RbacAssessmentReport', 'Misconfiguration', { expected: true }),
    trivy('InfraAssessmentReport', 'Misconfiguration'),
    trivy('ClusterRbacAssessmentReport', 'Misconfiguration'),
    trivy('ClusterConfigAuditReport', 'Misconfiguration'),
    trivy('ClusterInfraAssessmentReport', 'Misconfiguration'),
    trivy('ClusterVulnerabilityReport', 'Vulnerability'),
    // All findings of a benchmark may be in one report.
    trivy('ClusterComplianceReport', 'Compliance', { pageSize: 5 }),
  ],
  kubescape: [
    kubescape('WorkloadConfigurationScan'),
    kubescape('VulnerabilityManifestSummary', { per: 'container' }),
    // After the summaries, which name the manifests of what runs.
    kubescape('VulnerabilityManifest', {
      ...{ category: 'Vulnerability', pageSize: manifestPage, expected: false, per: undefined },
    }),
  ],
  'policy-reports': [
    policy('PolicyReport', 'wgpolicyk8s.io', 'v1alpha2'),
    policy('ClusterPolicyReport', 'wgpolicyk8s.io', 'v1alpha2'),
    policy('PolicyReport', 'reports.x-k8s.io', 'v1beta2'),
    policy('ClusterPolicyReport', 'reports.x-k8s.io', 'v1beta2'),
    policy('Report', 'openreports.io', 'v1alpha1'),
    policy('ClusterReport', 'openreports.io', 'v1alpha1'),
  ],
}
