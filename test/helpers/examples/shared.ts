/** Values shared by examples of several subjects. */

export const at = '2026-11-21 10:15:00'
export const runId = 'crun_k3v7q2m5x4n6p2sa'
export const release = {
  id: 901,
  product_id: 7,
  version: 'v3.5.2',
  type: 'app',
  release_notes: '<p>Fixes CVE-2026-1234.</p>',
  url: 'https://github.com/argoproj/argo-cd/releases/tag/v3.5.2',
  published_at: at,
  created_at: at,
  has_security_fix: true,
  cve_list: ['CVE-2026-1234'],
  security_severity: 'high',
  security_summary: 'Access check of projects',
  cve_links: ['https://nvd.nist.gov/vuln/detail/CVE-2026-1234'],
  chart_name: null,
  app_version: null,
}
export const about = {
  name: 'Argo CD',
  description: 'Declarative continuous deployment',
  category: 'Continuous Integration & Delivery',
  cncf_status: 'graduated',
  homepage: 'https://argo-cd.readthedocs.io',
  repo_url: 'https://github.com/argoproj/argo-cd',
  docs_url: null,
  helm_chart_repo: 'https://argoproj.github.io/argo-helm',
  logo_url: null,
}
const { version, type, published_at, release_notes, has_security_fix } = release
export const recentRelease = {
  ...{ id: 7, product_id: 7, name: 'Argo CD', logo_url: null, category: about.category, cncf_status: 'graduated' },
  ...{ repo_url: about.repo_url, version, type, published_at, release_notes, has_security_fix },
  security_severity: release.security_severity,
}
export const toPage = <T>(item: T) => ({ page: 1, per_page: 20, total: 1, total_pages: 1, items: [item] })
export const finding = {
  fingerprint: '9b1c33d0a7e24f58',
  check_id: 'POD005',
  check_name: 'Pods without limits',
  category: 'Workloads',
  severity: 'medium',
  namespace: 'shop',
  resource: 'deployment/web',
  message: 'No memory limit',
  value: null,
}
export const freshnessItem = {
  artifact_type: 'image',
  artifact_key: 'quay.io/argoproj/argocd:v3.5.1',
  display_name: 'argoproj/argocd:v3.5.1',
  namespace: 'argocd',
  workloads: ['argocd/Deployment/argocd-server'],
  source: 'artifacts',
  source_product_id: 7,
  source_product_slug: 'argo-cd',
  is_monitored: true,
  current_version: 'v3.5.1',
  latest_version: 'v3.5.2',
  global_latest_version: 'v3.5.2',
  same_line_version: 'v3.5.2',
  status: 'minor_behind',
  confidence: 0.95,
  reason: 'The image repository is that of Argo CD.',
  recommendation: 'Update to v3.5.2.',
  compare_mode: 'exact',
  inherited_from_helm: false,
  releases_behind: 1,
  days_behind: 12,
  security_fixes_between: 1,
  security_facts: true,
  highest_severity_between: 'high',
  advisories: [
    {
      id: 'CVE-2026-1234',
      aliases: ['GHSA-qppj-fm5r-hxr3'],
      severity: 'high',
      score: 8.1,
      published: '2026-11-12',
      fixed_in: '3.5.2',
      fixed_in_line: 'v3.5.2',
    },
  ],
  advisories_count: 1,
  highest_advisory_severity: 'high',
  advisories_undecided: 0,
  highest_undecided_severity: 'none',
  fixed_in_line: 'v3.5.2',
  fixed_in: 'v3.5.2',
}
export const coverage = {
  ...{ artifacts: 17, known: 12, security_known: 9, projects: 10 },
  catalog_at: '2026-11-20',
  security_facts_at: '2026-11-20',
  advisories_known: 11,
  advisory_facts_at: '2026-11-20',
}
export const label = { id: 3, label_name: 'prod', label_color: '#1f6feb', subscription_count: 4 }
export const success = { success: true }
