import type { RouteName } from '../routes.ts'

interface ExampleRequest {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: object
}

/** A valid request of each route that takes values. A test validates them against their schemas. */
const requests: Partial<Record<RouteName, ExampleRequest>> = {
  listProjects: { query: { search: 'argo', per_page: 20 } },
  getProject: { params: { id: 7 } },
  listReleases: { params: { id: 7 }, query: { type: 'app' } },
  getProduct: { params: { id: 7 } },
  getRecentReleases: { query: { limit: 2, security_only: true } },
  getPopularProjects: { query: { limit: 10 } },
  addRelease: {
    body: {
      product_id: 7,
      version: 'v3.5.2',
      type: 'app',
      published_at: '2026-11-21 10:15:00',
      has_security_fix: true,
      security_severity: 'high',
      cve_list: ['CVE-2026-1234'],
    },
  },
  syncProjects: {
    body: { projects: [{ name: 'Shop API', repo_url: 'https://git.example/shop/api' }], cleanup_removed: false },
  },
  listExistingReleases: { query: { product_id: 7 } },
  uploadReport: {
    body: {
      environment: 'prod',
      report: {
        metadata: { clusterName: 'shop-prod', kubernetesVersion: 'v1.33.6', score: 82.5 },
        checks: {
          POD005: {
            ID: 'POD005',
            Name: 'Pods without limits',
            Severity: 'Warning',
            Total: 1,
            Items: [{ Namespace: 'shop', Resource: 'deployment/web', Message: 'No memory limit' }],
          },
        },
      },
    },
  },
  listReports: { query: { cluster_name: 'shop-prod', environment: 'prod' } },
  compareReports: { query: { cluster_name: 'shop-prod', environment: 'prod' } },
  reportTrends: { query: { cluster_name: 'shop-prod', window_days: 30 } },
  getReport: { params: { run_id: 'crun_k3v7q2m5x4n6p2sa' }, query: { include_report: false } },
  reportFreshness: { params: { run_id: 'crun_k3v7q2m5x4n6p2sa' } },
  recordGate: {
    params: { run_id: 'crun_k3v7q2m5x4n6p2sa' },
    body: {
      policy: { name: 'relt.yaml', digest: 'a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3' },
      rules: [{ rule: 'new>=high', verdict: 'failed', reason: '1 new finding of high or above', excepted: 1 }],
      exceptions: [{ source: 'relt.yaml:12', reason: 'Known', expires: '2026-12-31', matched: 1 }],
    },
  },
  listGateBaselines: { query: { run_id: 'crun_k3v7q2m5x4n6p2sa', rules: 'new>=high,score-drop>5' } },
  takeInRun: {
    body: {
      run_id: 'crun_k3v7q2m5x4n6p2sa',
      reason: 'The new ingress is accepted until it moves',
      until: '2027-01-31',
    },
  },
  endSubject: { params: { run_id: 'crun_k3v7q2m5x4n6p2sa' }, body: { reason: 'The database moved to a service' } },
  deleteReport: { params: { run_id: 'crun_k3v7q2m5x4n6p2sa' } },
  listFindings: { query: { severity: 'critical,high', state: 'new,regressed' } },
  listRunFindings: { params: { run_id: 'crun_k3v7q2m5x4n6p2sa' } },
  listTopChecks: { query: { cluster_name: 'shop-prod' } },
  listRiskPaths: { query: { cluster_name: 'shop-prod' } },
  splitWorkload: { body: { run_id: 'crun_k3v7q2m5x4n6p2sa', namespace: 'shop', workload: 'app-migrate-42' } },
  getFinding: { params: { fingerprint: '9b1c33d0a7e24f58' } },
  getDelivery: { params: { delivery_id: 'msg_2b7f0c9d4e1a65830f124c5d' } },
  retryDelivery: { params: { delivery_id: 'msg_2b7f0c9d4e1a65830f124c5d' } },
  createException: {
    body: {
      check: 'SEC014',
      namespace: 'shop',
      cluster_name: 'shop-prod',
      reason: 'The registry moves in October',
      expires_on: '2030-10-31',
    },
  },
  getException: { params: { exception_id: 'exc_2b7f0c9d4e1a6583' } },
  expireException: { params: { exception_id: 'exc_2b7f0c9d4e1a6583' } },
  setOwners: { body: { owners: [{ owner: 'payments', contact: '#payments', namespace: 'pay-*' }] } },
  setGatePolicy: { body: { policy: "gate:\n  fail_on: ['new>=high']\n" } },
  listClusters: { query: { sort: 'urgency', per_page: 20 } },
  compareClusters: { query: { from: 'clus_9c1d2e3f4a5b6c7d', to: 'clus_4f0d8a1b2c3e5d67' } },
  listClusterVersions: { query: { product_id: 7 } },
  getCluster: { params: { cluster_id: 'clus_9c1d2e3f4a5b6c7d' } },
  updateCluster: { params: { cluster_id: 'clus_9c1d2e3f4a5b6c7d' }, body: { expected_every: 86400 } },
  deleteCluster: { params: { cluster_id: 'clus_9c1d2e3f4a5b6c7d' } },
  getTeam: { params: { team: 'platform' } },
  listTeamSubscriptions: { params: { team: 'platform' } },
  addTeamMember: { params: { team: 'platform' }, body: { login: 'grace', role: 'member' } },
  setTeamRole: { params: { team: 'platform', login: 'grace' }, body: { role: 'member' } },
  removeTeamMember: { params: { team: 'platform', login: 'bea' } },
  getImpact: { query: { cve: 'CVE-2026-1234' } },
  getUpgradePlan: { query: { cluster_name: 'shop', to: '1.34' } },
  getFleetUpgrade: { query: { label: 'team-a', to: '1.34', environments: 'staging,prod' } },
  checkUpgrade: { body: { kubernetes: '1.33', to: '1.34', parts: [{ project_slug: 'keda', version: '2.18.3' }] } },
  getUpgradePath: { query: { project: 'keda', version: '2.18.3', to: '2.20' } },
  getFeed: { query: { days: 7 } },
  getDashboardActivity: { query: { days: 7 } },
  getDashboardLogs: { query: { limit: 8 } },
  toggleSubscription: { body: { product_id: 7 } },
  updateSettings: {
    body: { subscription_id: 12, email_frequency: 'weekly', release_types_filter: 'app,helm', slack_webhook: '' },
  },
  updateAccountSettings: { body: { teams_webhook: 'https://hooks.example/teams/T0' } },
  testNotification: { body: { channel: 'slack' } },
  sendTestNotification: { body: { channel: 'slack' } },
  triggerDigest: { body: { frequency: 'weekly' } },
  rotateWebhookSecret: { body: { subscription_id: 12 } },
  createLabel: { body: { label_name: 'prod', label_color: '#1f6feb' } },
  updateLabel: { params: { id: 3 }, body: { label_name: 'prod', label_color: '#1f6feb' } },
  deleteLabel: { params: { id: 3 } },
  attachLabels: { params: { subscription_id: 12 }, body: { label_ids: [3] } },
  detachLabel: { params: { subscription_id: 12, label_id: 3 } },
  createKey: { body: { name: 'laptop', scope: 'upload', expires_at: '2099-12-31 00:00:00' } },
  listMade: { params: { uuid: '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e' } },
  revokeKey: { params: { uuid: '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e' } },
  listConfigs: { query: { include: 'settings' } },
  createConfig: {
    body: {
      name: 'Production',
      cluster_name: 'shop-prod',
      provider: 'aks',
      notes: '',
      settings: {
        aks: {
          subscriptionId: '00000000-0000-0000-0000-000000000000',
          resourceGroup: 'shop',
          clusterName: 'shop-prod',
        },
        output: { htmlReport: true, jsonReport: true, excludeNamespaces: true },
        excluded_namespaces: ['kube-system'],
      },
    },
  },
  bootstrapConfigs: { body: { cluster_names: ['shop-prod', 'shop-test'] } },
  getConfig: { params: { config_id: 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d' } },
  updateConfig: { params: { config_id: 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d' }, body: { notes: 'Weekly' } },
  deleteConfig: { params: { config_id: 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d' } },
  getConfigCommand: { params: { config_id: 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d' } },
  getConfigFile: { params: { config_id: 'ccfg_0f9d7c52-8f6e-4d0a-9a55-6f1f5a2b1c3d' } },
  agentHeartbeat: {
    body: {
      agent_id: '0b1c6f2e-8a3d-4d57-9d3c-6f0f5b1f7a10',
      host: 'laptop',
      version: '0.1.0',
      uploads_waiting: 0,
      jobs: [
        {
          name: 'nightly',
          cluster_name: 'shop-prod',
          environment: 'prod',
          expected_every: 86400,
          next_at: '2026-11-21 10:15:00',
          last_outcome: 'done',
          last_at: '2026-11-21 10:15:00',
        },
      ],
    },
  },
  revokeFeed: { params: { feed_id: 'feed_0f9d7c528f6e4d0a' } },
}

export const requestFor = (name: RouteName) => requests[name] ?? {}
