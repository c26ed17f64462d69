import { eachWebhook } from '../channels.ts'
import type { Example, Route } from '../route.ts'
import { type RouteName, type Routes, routes } from '../routes.ts'

/** A valid request and its answer for each route that has none in the table. A test checks both against their schemas. */

const at = '2026-11-21 10:15:00'
const runId = 'crun_k3v7q2m5x4n6p2sa'
const earlierRunId = 'crun_b5d2f7h3j6l4n2qc'
const configId = 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d'
const uuid = '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e'
const empty = ''

const release = {
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
const { id, product_id, version, type, release_notes, url, published_at, has_security_fix } = release
const releaseItem = {
  ...{ id, product_id, version, type, release_notes, url, published_at, has_security_fix },
  security_severity: release.security_severity,
  chart_name: null,
}
const about = {
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
const project = {
  id: 7,
  slug: 'argo-cd',
  ...about,
  updated_at: at,
  latest_version: 'v3.5.2',
  latest_published_at: at,
}
const product = {
  product: { id: 7, slug: 'argo-cd', ...about, releases: { app: [release], helm: [], pre: [] } },
}
const recentRelease = {
  ...{ id: 7, product_id: 7, name: 'Argo CD', logo_url: null, category: about.category, cncf_status: 'graduated' },
  ...{ repo_url: about.repo_url, version, type, published_at, release_notes, has_security_fix },
  security_severity: release.security_severity,
}
const toPage = <T>(item: T) => ({ page: 1, per_page: 20, total: 1, total_pages: 1, items: [item] })

const run = {
  run_id: runId,
  cluster_name: 'shop-prod',
  environment: 'prod',
  provider: 'aks',
  region: 'westeurope',
  source: 'relt',
  source_version: '1.0.0',
  kubernetes_version: 'v1.33.6',
  score: 82.5,
  score_source: 'scanner',
  format: 'kubebuddy',
  total_checks: 90,
  failed_checks: 12,
  passed_checks: 77,
  not_run_checks: 1,
  findings: { total: 31, critical: 1, high: 4, medium: 20, low: 6, info: 0, unknown: 0 },
  suppressed_findings: 0,
  vulnerability_scan: false,
  artifacts: { images: 14, helm_charts: 3, apps: 0 },
  started_at: at,
  finished_at: at,
  duration_seconds: 42,
  ingested_at: at,
  processing_status: 'ready',
  size_bytes: 48211,
  ci: { provider: 'github', commit: '4f1d2c7' },
}
const earlierRun = { ...run, run_id: earlierRunId, score: 80 }
const delivery = {
  ...{ delivery_id: 'msg_2b7f0c9d4e1a65830f124c5d', created_at: at, kind: 'release', channel: 'slack' },
  ...{ target: 'https://hooks.slack.com/services/…', subscription_id: 12, product_id: 7, name: 'Argo CD', version },
  ...{ state: 'delivered', attempts: 1, http_status: 200, reason: null, next_attempt_at: null, finished_at: at },
} as const

const gatePolicy = { policy: "gate:\n  fail_on: ['new>=high']\n", changed_at: at, changed_by: 'ada' }
const owners = {
  owners: [{ owner: 'payments', contact: '#payments', namespace: 'pay-*' }],
  changed_at: at,
  changed_by: 'ada',
}
const exceptionInput = {
  check: 'SEC014',
  namespace: 'shop',
  reason: 'The registry moves in October',
  expires_on: '2030-10-31',
}
const exception = {
  exception_id: 'exc_2b7f0c9d4e1a6583',
  ...{ fingerprint: null, ...exceptionInput, resource: null, artifact: null, advisory: null, justification: null },
  ...{ cluster_name: null, environment: null, state: 'active' },
  ...{ created_at: at, created_by: 'ada', ended_at: null, ended_by: null },
}

const finding = {
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
const ofRuns = {
  ...{ clusters: 1, runs: 1, oldest_scan_at: at, stale: [], stale_count: 0, not_run_checks: 0, not_run: [] },
  ...{ suppressed_findings: 0, empty_runs: 0 },
}
const listedFinding = {
  ...{ ...finding, count: 2, state: 'new', cluster_name: 'shop-prod', environment: 'prod', run_id: runId },
  ...{ format: 'kubebuddy', seen_at: at, first_seen_at: at, reason: null, suppressed_until: null },
}
const freshnessItem = {
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
const coverage = {
  ...{ artifacts: 17, known: 12, security_known: 9, projects: 10 },
  catalog_at: '2026-11-20',
  security_facts_at: '2026-11-20',
  advisories_known: 11,
  advisory_facts_at: '2026-11-20',
}

const agentJob = {
  ...{ name: 'nightly', cluster_name: 'shop-prod', environment: 'prod', expected_every: 86_400 },
  ...{ next_at: at, last_outcome: 'done', last_at: at },
}
const agent = {
  ...{ agent_id: '0b1c6f2e-8a3d-4d57-9d3c-6f0f5b1f7a10', host: 'laptop', version: '0.1.0', uploads_waiting: 0 },
  ...{ first_seen_at: at, last_seen_at: at },
}
const label = { id: 3, label_name: 'prod', label_color: '#1f6feb', subscription_count: 4 }
const labelInput = { label_name: 'prod', label_color: '#1f6feb' }
const subscription = {
  ...{ id: 12, user_id: 1, product_id: 7 },
  ...{ webhook_url: null, ...eachWebhook(() => null), slack_webhook: 'https://hooks.slack.com/services/…' },
  ...{ email_enabled: true, email_frequency: 'daily' },
  ...{ release_types_filter: 'app,helm', webhook_release_types: 'app', use_global_webhooks: false },
  ...{ notifications_paused: false, created_at: at, name: 'Argo CD', logo_url: null },
  ...{ description: about.description, repo_url: about.repo_url, labels: [label] },
  latest_release: { id: 901, version, published_at, has_security_fix },
}
const lookedAt = { subscriptions: 1, projects: 1, security_known: 1 }

const settings = {
  aks: { subscriptionId: '00000000-0000-0000-0000-000000000000', resourceGroup: 'shop', clusterName: 'shop-prod' },
  output: { htmlReport: true, jsonReport: true, excludeNamespaces: true },
  excluded_namespaces: ['kube-system'],
}
const profileInput = { name: 'Production', cluster_name: 'shop-prod', provider: 'aks', notes: '', settings }
const profile = { config_id: configId, ...profileInput, created_at: at, updated_at: at }
const savedProfile = { success: true, ...profile }

const apiKey = {
  ...{ uuid, name: 'laptop', created: at, expires_at: null, scope: 'all', last_used: null },
  ...{ made_by: null, replaces: null },
}
const madeKey = { ...apiKey, uuid: '3d1b6f0e-2c4d-4f5a-8b7c-1a2b3c4d5e6f', name: 'ci', made_by: uuid }

const success = { success: true }
const testResult = { channel: 'slack', delivered: false, http_status: null, error: 'queued' }

const oneProject = { params: { id: 7 }, answer: product }
const oneRun = { params: { run_id: runId } }
const oneProfile = { params: { config_id: configId } }
const notificationTest = { body: { channel: 'slack' }, answer: { success: true, results: [testResult] } }
const reportBody = {
  environment: 'prod',
  report: {
    metadata: { clusterName: 'shop-prod', kubernetesVersion: 'v1.33.6', score: 82.5 },
    checks: {
      POD005: {
        ...{ ID: 'POD005', Name: 'Pods without limits', Severity: 'Warning', Total: 1 },
        Items: [{ Namespace: 'shop', Resource: 'deployment/web', Message: 'No memory limit' }],
      },
    },
  },
}

const team = {
  ...{ name: 'platform', created: at, members: 2, clusters: 4, runs: 120, profiles: 3, role: 'owner' },
  items: [
    { login: 'ada', role: 'owner' },
    { login: 'grace', role: 'member' },
  ],
  notifications: {
    email: null,
    channels: [{ channel: 'slack', address: 'https://hooks.slack.com/…' }],
    subscriptions: 12,
    settings: { time_zone: 'Europe/Berlin', digest_hour: 8, digest_weekday: 'monday', quiet_hours: '22:00-07:00' },
    gate_policy_changed_at: null,
  },
}
const clusterId = 'clus_9c1d2e3f4a5b6c7d'
const oneCluster = { cluster_id: clusterId }
const clusterPlace = { cluster_id: clusterId, cluster_name: 'shop-prod', environment: 'prod' }
const counts = { total: 5, critical: 3, high: 0, medium: 2, low: 0, info: 0, unknown: 0 }
const cluster = {
  ...{ ...clusterPlace, labels: ['team-shop'], provider: 'aks', region: 'westeurope', kubernetes_version: 'v1.34.2' },
  ...{
    expected_every: 86_400,
    expected_reports: { every: 86_400, set_by: 'cluster' },
    last_scan: at,
    overdue: false,
    scores: [61, 72.5, 80],
    has_figures: true,
  },
  latest_run: {
    ...{ run_id: runId, format: 'kubebuddy', score: 80, score_delta: 7.5, findings: counts, is_empty: false },
    ...{ total_checks: 5, failed_checks: 5, not_run_checks: 0 },
  },
  changes: {
    ...{ new_findings: 1, new_critical: 1, new_high: 0, regressed_findings: 2, regressed_critical: 1 },
    ...{ regressed_high: 0, resolved_findings: 1 },
  },
  freshness: {
    ...{
      artifacts: 4,
      known: 3,
      minor_behind: 1,
      major_behind: 1,
      affected: 0,
      affected_critical: 0,
      affected_high: 0,
    },
    ...{ ended: 0, ending: 1, is_current: true, catalog_date: '2026-11-20' },
  },
  gate: { verdict: 'failed', at },
  attention: ['gate_failed', 'new_critical', 'support_ending', 'major_behind'],
}
const fleetSummary = {
  ...{ clusters: 1, needs_attention: 1, pending: 0 },
  attention: { gate_failed: 1, new_critical: 1, support_ending: 1, major_behind: 1 },
}

const severityCounts = { critical: 1, high: 4, medium: 20, low: 5, info: 0, unknown: 0 }
const noCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 }
const clusterMetrics = {
  ...{
    cluster_name: 'shop-prod',
    environment: 'prod',
    provider: 'eks',
    kubernetes_version: 'v1.34.2',
    expected_every: 86_400,
  },
  scanners: [
    {
      ...{ format: 'kubebuddy', last_scan: at, score: 84.5, findings: severityCounts, accepted: noCounts },
      changes: { new: { ...noCounts, critical: 1 }, regressed: noCounts, resolved: noCounts },
      ...{ checks_not_run: 0, gate: 'failed' },
    },
  ],
  running: {
    coverage: 0.75,
    artifacts: { current: 1, behind: 2, out_of_support: 0, retired: 0, compromised: 0, unknown: 1 },
    advisories: [{ severity: 'high', fixable: true, exploited: false, count: 2 }],
    support: [{ project: 'kubernetes', cycle: '1.34', ends_on: '2026-10-27' }],
  },
}

type WithoutExample = { [N in RouteName]: Routes[N] extends { example: Example } ? never : N }[RouteName]

const examples: Record<WithoutExample, Example> = {
  listProjects: { query: { search: 'argo', per_page: 20 }, answer: toPage(project) },
  getProject: oneProject,
  getProduct: oneProject,
  listReleases: { params: { id: 7 }, query: { type: 'app' }, answer: toPage(releaseItem) },
  getStats: {
    answer: {
      ...{ success: true, total_projects: 400, total_releases: 12000, total_security_fixes: 800, stale_projects: 2 },
      ...{ releases_last_7d: 60, releases_last_30d: 240, releases_last_90d: 700, catalog_date: '2026-11-20' },
    },
  },
  getRecentReleases: { query: { limit: 2, security_only: true }, answer: { success: true, releases: [recentRelease] } },
  getPopularProjects: {
    query: { limit: 10 },
    answer: {
      success: true,
      projects: [
        {
          ...{ id: 7, name: 'Argo CD', category: about.category, cncf_status: 'graduated', logo_url: null },
          ...{ repo_url: about.repo_url, subscriber_count: 12, last_release_at: at, releases_30d: 3 },
        },
      ],
    },
  },
  addRelease: {
    body: {
      ...{ product_id: 7, version: 'v3.5.2', type: 'app', published_at: at, has_security_fix: true },
      ...{ security_severity: 'high', cve_list: ['CVE-2026-1234'] },
    },
    answer: { success: true, release_id: 901, created: true },
  },
  syncProjects: {
    body: { projects: [{ name: 'Shop API', repo_url: 'https://git.example/shop/api' }], cleanup_removed: false },
    answer: { success: true, created: 1, updated: 0, removed: 0 },
  },
  listExistingReleases: {
    query: { product_id: 7 },
    answer: {
      success: true,
      releases: [{ product_id: 7, version, type }],
      ...{ page: 1, per_page: 100_000, total: 1, total_pages: 1 },
    },
  },

  uploadReport: {
    body: reportBody,
    answer: { success: true, run_id: runId, ingested_at: at, processing_status: 'ready', not_run_checks: 0 },
  },
  listReports: {
    query: { cluster_name: 'shop-prod', environment: 'prod' },
    answer: { ...toPage(run), environments: ['prod', 'test'] },
  },
  listClusters: {
    query: { sort: 'urgency', per_page: 20 },
    answer: { success: true, ...toPage(cluster), summary: fleetSummary },
  },
  getStatus: {
    answer: {
      success: true,
      sources: {
        ...{ total: 180, failing: 1 },
        items: [{ product_id: 7, name: 'Argo CD', kind: 'github', outcome: 'unreachable', answered_at: at }],
      },
    },
  },
  getCluster: { params: oneCluster, answer: cluster },
  updateCluster: { params: oneCluster, body: { expected_every: 86_400 }, answer: { success: true, ...cluster } },
  deleteCluster: { params: oneCluster, answer: { success: true } },
  compareClusters: {
    query: { from: clusterId, to: 'clus_4f0d8a1b2c3e5d67' },
    answer: {
      success: true,
      from: { ...clusterPlace, run_id: runId, seen_at: at },
      to: {
        cluster_id: 'clus_4f0d8a1b2c3e5d67',
        cluster_name: 'shop-test',
        environment: 'test',
        run_id: null,
        seen_at: null,
      },
      summary: { from_behind: 1 },
      pending: 0,
      items: [
        {
          product_id: 7,
          name: 'Argo CD',
          artifact_type: 'app',
          from: ['v3.4.8'],
          to: ['v3.5.1'],
          difference: 'from_behind',
        },
      ],
    },
  },
  listClusterVersions: {
    query: { product_id: 7 },
    answer: {
      success: true,
      product: { id: 7, name: 'Argo CD', latest_version: 'v3.5.1' },
      summary: { clusters: 2, running: 1, with_inventory: 2, pending: 0 },
      catalog_date: '2026-11-20',
      unknown: [],
      items: [
        {
          ...{ ...clusterPlace, run_id: runId, seen_at: at, artifact_type: 'image', name: 'quay.io/argoproj/argocd' },
          ...{ version: 'v3.4.8', status: 'minor_behind', releases_behind: 2, days_behind: 36, count: 3 },
        },
      ],
    },
  },
  getClusterMetrics: {
    answer: {
      ...{ success: true, catalog_date: '2026-11-20', advisories_date: '2026-11-20' },
      sources: [{ kind: 'github', is_up: true }],
      items: [clusterMetrics],
    },
  },
  compareReports: {
    query: { cluster_name: 'shop-prod', environment: 'prod' },
    answer: {
      ...{ success: true, cluster_name: 'shop-prod', environment: 'prod', from: earlierRun, to: run, score_delta: 2.5 },
      ...{ new_findings: [finding], resolved_findings: [], regressed_findings: [] },
      ...{ new_findings_count: 1, resolved_findings_count: 0, regressed_findings_count: 0 },
      ...{ unchanged_findings_count: 30, incomparable_findings_count: 0 },
      scope_changes: { namespaces_excluded: [], namespaces_included: [], checks_removed: [], checks_added: [] },
    },
  },
  reportTrends: {
    query: { cluster_name: 'shop-prod', window_days: 30 },
    answer: {
      ...{ success: true, cluster_name: 'shop-prod', environment: 'prod', window_days: 30 },
      points: [{ run_id: runId, at, score: 82.5, failed_checks: 12, findings: 31 }],
    },
  },
  getReport: { ...oneRun, query: { include_report: false }, answer: { ...run, checks_not_run: [] } },
  reportFreshness: {
    ...oneRun,
    answer: {
      ...{ success: true, run_id: runId, processing_status: 'ready', catalog_date: '2026-11-20', coverage },
      summary: { up_to_date: 9, minor_behind: 2, major_behind: 1, unknown: 5 },
      items: [freshnessItem],
    },
  },
  recordGate: {
    ...oneRun,
    body: {
      policy: { name: 'relt.yaml', digest: 'a3'.repeat(32) },
      rules: [{ rule: 'new>=high', verdict: 'failed', reason: '1 new finding of high or above', excepted: 1 }],
      exceptions: [{ source: 'relt.yaml:12', reason: 'Known', expires: '2026-12-31', matched: 1 }],
    },
    answer: { success: true, verdict: 'failed', at },
  },
  acceptScope: {
    ...oneRun,
    body: { reason: 'KubeBuddy 2.1 renamed SEC003 to SEC103' },
    answer: {
      ...{ success: true, run_id: runId, cluster_name: 'shop-prod', environment: 'prod', format: 'kubebuddy' },
      ...{ accepted_at: at, accepted_by: 'ada', reason: 'KubeBuddy 2.1 renamed SEC003 to SEC103' },
      ...{ dropped_checks: ['SEC003'], dropped_namespaces: [], dropped_kinds: [] },
    },
  },
  deleteReport: { ...oneRun, answer: success },
  listFindings: {
    query: { severity: 'critical,high', state: 'new,regressed' },
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1, findings: 1, rows: 2, group_by: null, groups: [] },
      items: [listedFinding],
      looked_at: { ...ofRuns, unlisted_rows: 0, without_earlier_run: 0, incomparable_findings: 0 },
    },
  },
  listRunFindings: {
    ...oneRun,
    answer: {
      ...{ success: true, run_id: runId, findings: 1, rows: 2, basis: 'weights', suppressed: [], suppressed_count: 0 },
      checks: [
        {
          ...{ check_id: finding.check_id, check_name: finding.check_name, category: finding.category },
          ...{ severity: finding.severity, findings: 1, rows: 2, unlisted_rows: 0, points: 1.25 },
          ...{ recommendation: 'Set a memory limit.', url: null },
        },
      ],
      items: [finding],
      excluded_namespaces: ['kube-system'],
    },
  },
  listTopChecks: {
    query: { cluster_name: 'shop-prod' },
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1, mean_score: 72.5, runs_by_formula: 0, looked_at: ofRuns },
      items: [
        {
          ...{ check_id: finding.check_id, check_name: finding.check_name, format: 'kubebuddy', severity: 'medium' },
          ...{ points: 1.25, basis: 'weights', rows: 2, clusters: 1, recommendation: 'Set a memory limit.', url: null },
        },
      ],
    },
  },
  listRiskPaths: {
    query: { cluster_name: 'shop-prod' },
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1, runs_without_risk_paths: 0, looked_at: ofRuns },
      aks_readiness: [],
      items: [
        {
          ...{ id: 'CHAIN001', kind: 'combined', name: 'Workload to Cluster Control Path', status: 'triggered' },
          ...{ is_open: true, boundary: null, confidence: 'high', exploitability: null, fix_priority: 'urgent' },
          ...{ summary: 'Isolation and RBAC risks combine.', signal_checks: [], requires: ['RISK001', 'RISK003'] },
          ...{ triggered_by: ['RISK001', 'RISK003'], evidence: [], cluster_name: 'shop-prod', environment: 'prod' },
          ...{ run_id: runId, seen_at: at },
        },
      ],
    },
  },
  getFinding: {
    params: { fingerprint: finding.fingerprint },
    answer: {
      success: true,
      finding: {
        ...finding,
        format: 'kubebuddy',
        recommendation: 'Set runAsUser to a non-zero UID.',
        url: 'https://kubernetes.io/docs/concepts/security/pod-security-standards/',
        reason: null,
        suppressed_until: null,
      },
      run_id: runId,
      clusters: [
        {
          ...{ cluster_name: 'shop-prod', environment: 'prod', state: 'open', first_seen_at: at, first_run_id: runId },
          ...{ last_seen_at: at, last_run_id: runId, latest_run_id: runId, latest_scan_at: at, doubt: null },
        },
      ],
      clusters_total: 1,
    },
  },
  agentHeartbeat: {
    body: {
      ...{ agent_id: agent.agent_id, host: agent.host, version: agent.version, uploads_waiting: 0 },
      jobs: [agentJob],
    },
    answer: { success: true, server_version: '0.1.0' },
  },
  listAgents: {
    answer: {
      success: true,
      items: [{ ...agent, jobs: [agentJob] }],
      silent_clusters: [
        {
          ...{ cluster_name: 'shop-prod', environment: 'prod', expected_every: 86_400 },
          ...{ last_report_at: at, silent_since: at },
        },
      ],
    },
  },
  listTeamSubscriptions: {
    params: { team: 'platform' },
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1 },
      items: [{ product_id: 2, name: 'argo-cd', followers: ['ada', 'grace'] }],
    },
  },
  getTeam: { params: { team: 'platform' }, answer: team },
  addTeamMember: {
    params: { team: 'platform' },
    body: { login: 'grace', role: 'member' },
    answer: { success: true, ...team },
  },
  setTeamRole: {
    params: { team: 'platform', login: 'grace' },
    body: { role: 'member' },
    answer: { success: true, ...team },
  },
  removeTeamMember: { params: { team: 'platform', login: 'bea' }, answer: { success: true, ...team } },
  getImpact: {
    query: { cve: 'CVE-2026-1234' },
    answer: {
      ...{ success: true, catalog_date: '2026-11-20', releases: [{ release_id: 901, product_id: 7, version }] },
      summary: { clusters_seen: 2, clusters: 1, namespaces: 1, workloads: 1, artifacts: 1 },
      coverage,
      items: [
        {
          ...{ artifact_type: 'image', artifact_key: freshnessItem.artifact_key },
          ...{ display_name: freshnessItem.display_name, workloads: ['argocd/Deployment/argocd-server'] },
          ...{ current_version: 'v3.5.1', inherited_from_helm: false, cluster_name: 'shop-prod', environment: 'prod' },
          ...{ run_id: runId, seen_at: at, product_id: 7, product_name: 'Argo CD', namespaces: ['argocd'] },
          ...{ release_id: 901, wanted_version: version, severity: 'high', has_security_fix: true },
          ...{ is_certain: true, confidence: 0.95 },
        },
      ],
    },
  },

  getMySubscriptions: { answer: { subscribed_ids: [7] } },
  listSubscriptions: { answer: { success: true, subscriptions: [subscription], subscription_count: 1 } },
  getFeed: {
    query: { days: 7 },
    answer: {
      success: true,
      releases: [{ product_id: 7, name: 'Argo CD', version, published_at, type, has_security_fix }],
      catalog_date: '2026-11-20',
      looked_at: lookedAt,
    },
  },
  getDashboard: {
    answer: {
      ...{ success: true, plan: 'Pro', limit: 50, subscriptions: [subscription], is_pro: true },
      ...{ subscription_count: 1, subscription_limit: 50, user_email: null, user_login: 'ada' },
      ...{ pms_status: 'active', pms_trial_end: null, pms_is_cancelled: false },
      ...{ ...eachWebhook(() => null), webhook_release_types: 'app' },
      ...{ labels: [label], catalog_date: '2026-11-20', looked_at: lookedAt, delivers_notifications: false },
    },
  },
  getDashboardActivity: { query: { days: 7 }, answer: { success: true, days: 7, releases: [recentRelease] } },
  getDashboardLogs: {
    query: { limit: 8 },
    answer: {
      success: true,
      logs: [
        {
          ...{ id: 5, created_at: at, kind: 'release', channel: 'slack', target: 'hooks.slack.com/…' },
          ...{ subscription_id: 12, product_id: 7, name: 'Argo CD', version, status: 'pending', attempts: 0 },
          ...{ http_status: null, error: null },
        },
      ],
    },
  },
  toggleSubscription: { body: { product_id: 7 }, answer: { success: true, subscribed: true, subscription_id: 12 } },
  updateSettings: {
    body: { subscription_id: 12, email_frequency: 'weekly', release_types_filter: 'app,helm', slack_webhook: empty },
    answer: success,
  },
  updateAccountSettings: { body: { teams_webhook: 'https://hooks.example/teams/T0' }, answer: success },
  testNotification: notificationTest,
  sendTestNotification: notificationTest,
  rotateWebhookSecret: {
    body: { subscription_id: 12 },
    answer: { success: true, secret: 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH', previous_valid_until: at },
  },
  triggerDigest: { body: { frequency: 'weekly' }, answer: { success: true, sent: false, releases: 4 } },

  listDeliveries: {
    answer: { page: 1, per_page: 20, total: 1, total_pages: 1, items: [delivery], delivers_notifications: false },
  },
  getDelivery: {
    params: { delivery_id: delivery.delivery_id },
    answer: { ...delivery, events: [{ event_id: 31, type: 'release.published', at }] },
  },
  retryDelivery: {
    params: { delivery_id: delivery.delivery_id },
    answer: { success: true, ...delivery, state: 'pending', attempts: 0, next_attempt_at: at, finished_at: null },
  },
  dropDelivery: {
    params: { delivery_id: delivery.delivery_id },
    answer: { success: true, ...delivery, state: 'skipped', reason: 'dropped' },
  },
  replayDeliveries: { body: { since: at, channel: 'slack' }, answer: { success: true, deliveries: 3 } },
  rehearseNotifications: {
    body: { days: 30, channel: 'slack', settings: { only_what_runs: true } },
    answer: {
      ...{ success: true, from: at, to: at, events: 12, total: 1 },
      per_day: [{ day: '2026-11-20', messages: 1 }],
      by_channel: [{ channel: 'slack', messages: 1 }],
      messages: [
        {
          ...{ due_at: at, channel: 'slack', kind: 'release', name: 'Argo CD', version, events: 1, subject: null },
          ...{ content_type: 'application/json', body: '{"text":"New release: Argo CD"}' },
        },
      ],
    },
  },

  listLabels: { answer: { labels: [label] } },
  createLabel: { body: labelInput, answer: { success: true, label_id: 3 } },
  updateLabel: { params: { id: 3 }, body: labelInput, answer: success },
  deleteLabel: { params: { id: 3 }, answer: success },
  attachLabels: { params: { subscription_id: 12 }, body: { label_ids: [3] }, answer: success },
  detachLabel: { params: { subscription_id: 12, label_id: 3 }, answer: success },

  listKeys: { answer: { keys: [apiKey], limit: 3, count: 1, remaining: 2 } },
  getCurrentKey: { answer: { success: true, user_login: 'ada', plan: 'Pro', key: apiKey } },
  createKey: {
    body: { name: 'laptop', scope: 'upload', expires_at: '2099-12-31 00:00:00' },
    answer: {
      success: true,
      password: 'abcd EFGH 1234 ijkl MNOP 5678',
      item: { ...apiKey, scope: 'upload' },
    },
  },
  listMade: {
    params: { uuid },
    answer: { success: true, keys: [madeKey], feeds: [], webhooks: [], members: [], sessions: 0 },
  },
  revokeKey: { params: { uuid }, answer: success },

  listConfigs: { query: { include: 'settings' }, answer: { success: true, ...toPage(profile) } },
  getOwners: { answer: owners },
  setOwners: { body: { owners: owners.owners }, answer: { success: true, ...owners } },
  getGatePolicy: { answer: gatePolicy },
  setGatePolicy: { body: { policy: gatePolicy.policy }, answer: { success: true, ...gatePolicy } },
  listExceptions: { answer: { page: 1, per_page: 20, total: 1, total_pages: 1, items: [exception] } },
  createException: { body: exceptionInput, answer: { success: true, ...exception } },
  getException: { params: { exception_id: exception.exception_id }, answer: exception },
  expireException: {
    params: { exception_id: exception.exception_id },
    answer: { success: true, ...exception, state: 'expired', ended_at: at, ended_by: 'ada' },
  },
  createConfig: { body: profileInput, answer: savedProfile },
  getConfig: { ...oneProfile, answer: profile },
  updateConfig: { ...oneProfile, body: { notes: 'Weekly' }, answer: { ...savedProfile, notes: 'Weekly' } },
  deleteConfig: { ...oneProfile, answer: success },
  getConfigCommand: {
    ...oneProfile,
    answer: {
      powershell_command: 'Invoke-KubeBuddy -HtmlReport -jsonReport',
      powershell_multiline: 'Invoke-KubeBuddy `\n  -HtmlReport `\n  -jsonReport',
      docker_command: 'docker run ghcr.io/kubedeckio/kubebuddy',
      docker_powershell_command: 'docker run ghcr.io/kubedeckio/kubebuddy',
      docker_env: "-e HTML_REPORT='true'",
      native_command: 'kubebuddy run --html-report --json-report',
      yaml_filename: 'kubebuddy-config.yaml',
      ...{ credential_variables: [], container_credential_variables: [], warnings: [] },
    },
  },
  getConfigFile: {
    ...oneProfile,
    answer: {
      filename: 'kubebuddy-config.yaml',
      content: 'excluded_namespaces:\n  - kube-system\n',
      content_type: 'application/yaml',
    },
  },
  listBootstrapCandidates: {
    answer: {
      success: true,
      candidates: [
        {
          ...{ cluster_name: 'shop-prod', environment: 'prod', provider: 'aks', suggested_name: 'shop-prod' },
          ...{ last_run_id: runId, last_seen_at: at, already_configured: false },
        },
      ],
    },
  },
  bootstrapConfigs: {
    body: { cluster_names: ['shop-prod', 'shop-test'] },
    answer: {
      success: true,
      created: [profile],
      skipped: [{ cluster_name: 'shop-test', reason: 'no report of this cluster' }],
    },
  },
}

export function exampleFor(name: RouteName): Example {
  const route: Route = routes[name]
  return route.example ?? examples[name as WithoutExample]
}
