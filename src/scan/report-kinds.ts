import type { ReportSource } from './report-source.ts'

/** A kind of operator report. */
export interface ReportKind {
  kind: string
  group: string
  plural: string
  /** See `UnreadKind`. Empty if the report names all its checks, including passed ones, and no other kind has them. */
  category: string
  /** Reports per page of the API server. */
  pageSize: number
  query?: Record<string, string>
  /** An operator with default settings creates reports of this kind. */
  expected?: boolean
  /** There is a report for each workload or container. */
  per?: 'workload' | 'container' | undefined
  /** A container has no report of its own if another container with the same image has one. */
  isOfImage?: boolean
}

/** A report with all vulnerabilities of an image has some 100 KB. */
const largePage = 100
const page = 500
/** The manifest of an image has some megabytes. */
const manifestPage = 5

const trivy = (kind: string, category: string, more: Partial<ReportKind> = {}) => ({
  kind,
  group: 'aquasecurity.github.io',
  plural: `${kind.toLowerCase()}s`,
  category,
  pageSize: category === 'Vulnerability' ? largePage : page,
  ...more,
})

/** Kubescape's API server omits `spec` in a list unless asked for the whole. */
const kubescape = (kind: string, more: Partial<ReportKind> = {}): ReportKind => ({
  kind,
  group: 'spdx.softwarecomposition.kubescape.io',
  plural: kind === 'VulnerabilityManifestSummary' ? 'vulnerabilitymanifestsummaries' : `${kind.toLowerCase()}s`,
  category: '',
  pageSize: largePage,
  query: { resourceVersion: 'fullSpec' },
  expected: true,
  per: 'workload',
  ...more,
})

const policy = (kind: string, group: string): ReportKind => ({
  kind,
  group,
  plural: `${kind.toLowerCase()}s`,
  category: '*',
  pageSize: page,
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
    // One report may contain all findings of a benchmark.
    trivy('ClusterComplianceReport', 'Compliance', { pageSize: 5 }),
  ],
  kubescape: [
    kubescape('WorkloadConfigurationScan'),
    kubescape('VulnerabilityManifestSummary', { per: 'container' }),
    // Follows the summaries, which name the manifests of running workloads.
    kubescape('VulnerabilityManifest', {
      category: 'Vulnerability',
      pageSize: manifestPage,
      expected: false,
      per: undefined,
    }),
  ],
  'policy-reports': [
    policy('PolicyReport', 'wgpolicyk8s.io'),
    policy('ClusterPolicyReport', 'wgpolicyk8s.io'),
    policy('PolicyReport', 'reports.x-k8s.io'),
    policy('ClusterPolicyReport', 'reports.x-k8s.io'),
    policy('Report', 'openreports.io'),
    policy('ClusterReport', 'openreports.io'),
  ],
}
