import type { clusterReportRoutes } from '../../../src/contract/routes/cluster-report.ts'
import { at, coverage, finding, freshnessItem, runId, success, toPage } from './shared.ts'

const earlierRunId = 'crun_b5d2f7h3j6l4n2qc'
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

export const clusterReportExamples: Record<keyof typeof clusterReportRoutes, { answer: object }> = {
  uploadReport: {
    answer: { success: true, run_id: runId, ingested_at: at, processing_status: 'ready', not_run_checks: 0 },
  },
  listReports: {
    answer: { ...toPage(run), environments: ['prod', 'test'] },
  },
  compareReports: {
    answer: {
      ...{ success: true, cluster_name: 'shop-prod', environment: 'prod', from: earlierRun, to: run, score_delta: 2.5 },
      ...{ new_findings: [finding], resolved_findings: [], regressed_findings: [] },
      ...{ new_findings_count: 1, resolved_findings_count: 0, regressed_findings_count: 0 },
      ...{ unchanged_findings_count: 30, incomparable_findings_count: 0 },
      scope_changes: { namespaces_excluded: [], namespaces_included: [], checks_removed: [], checks_added: [] },
    },
  },
  reportTrends: {
    answer: {
      ...{ success: true, cluster_name: 'shop-prod', environment: 'prod', window_days: 30 },
      points: [{ run_id: runId, at, score: 82.5, failed_checks: 12, findings: 31 }],
    },
  },
  getReport: { answer: { ...run, checks_not_run: [] } },
  reportFreshness: {
    answer: {
      ...{ success: true, run_id: runId, processing_status: 'ready', catalog_date: '2026-11-20', coverage },
      summary: { up_to_date: 9, minor_behind: 2, major_behind: 1, unknown: 5 },
      items: [freshnessItem],
    },
  },
  recordGate: {
    answer: { success: true, verdict: 'failed', at },
  },
  endSubject: {
    answer: {
      ...{ success: true, run_id: runId, cluster_name: 'shop-prod', environment: 'prod', format: 'trivy' },
      ...{ subject: 'shop/web linux/amd64 debian', ended_at: at, reason: 'Replaced', ended_by: 'ada' },
      findings: { total: 3, critical: 3, high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
    },
  },
  deleteReport: { answer: success },
}
