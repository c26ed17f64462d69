import type { RoutesOf } from '../../../src/contract/nouns.ts'
import { at, runId, toPage } from './shared.ts'

const clusterId = 'clus_9c1d2e3f4a5b6c7d'
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

const agentJob = {
  ...{ name: 'nightly', cluster_name: 'shop-prod', environment: 'prod', expected_every: 86_400 },
  ...{ next_at: at, last_outcome: 'done', last_at: at },
}
const agent = {
  ...{ agent_id: '0b1c6f2e-8a3d-4d57-9d3c-6f0f5b1f7a10', host: 'laptop', version: '0.1.0', uploads_waiting: 0 },
  ...{ first_seen_at: at, last_seen_at: at },
}

export const clusterExamples: Record<RoutesOf<'cluster' | 'agent'>, { answer: object }> = {
  listClusters: {
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
  getCluster: { answer: cluster },
  updateCluster: { answer: { success: true, ...cluster } },
  deleteCluster: { answer: { success: true } },
  compareClusters: {
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
  agentHeartbeat: {
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
}
