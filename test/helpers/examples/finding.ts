import type { RoutesOf } from '../../../src/contract/nouns.ts'
import { at, coverage, finding, freshnessItem, release, runId } from './shared.ts'

const ofRuns = {
  ...{ clusters: 1, runs: 1, oldest_scan_at: at, stale: [], stale_count: 0, not_run_checks: 0, not_run: [] },
  ...{ suppressed_findings: 0, empty_runs: 0 },
}
const listedFinding = {
  ...{ ...finding, count: 2, state: 'new', cluster_name: 'shop-prod', environment: 'prod', run_id: runId },
  ...{ format: 'kubebuddy', seen_at: at, first_seen_at: at, reason: null, suppressed_until: null },
}

const { version } = release

export const findingExamples: Record<RoutesOf<'finding' | 'impact'>, { answer: object }> = {
  listFindings: {
    answer: {
      ...{ page: 1, per_page: 20, total: 1, total_pages: 1, findings: 1, rows: 2, group_by: null, groups: [] },
      items: [listedFinding],
      looked_at: { ...ofRuns, unlisted_rows: 0, incomparable_findings: 0 },
    },
  },
  listRunFindings: {
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
          ...{
            last_seen_at: at,
            last_run_id: runId,
            latest_run_id: runId,
            latest_scan_at: at,
            gate: 'failed',
            doubt: null,
          },
        },
      ],
      clusters_total: 1,
    },
  },
  splitWorkload: {
    answer: {
      ...{ success: true, run_id: runId, at, namespace: 'shop' },
      ...{ from: 'app-migrate-41', to: 'app-migrate-42', findings: 5 },
    },
  },
  getImpact: {
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
}
