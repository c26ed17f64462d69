import { expect, test } from 'vitest'
import type { Route, RouteName } from '../../../src/contract/routes.ts'
import { everyRoute } from './all.ts'

/** Address of each route, who may call it, and what it answers with when that is not 200. */
const addresses: Record<RouteName, [address: string, access: Route['access'], status?: number]> = {
  listProjects: ['GET /projects', 'public'],
  getProject: ['GET /projects/{id}', 'public'],
  getProduct: ['GET /product/{id}', 'public'],
  listReleases: ['GET /projects/{id}/releases', 'public'],
  getStats: ['GET /stats', 'public'],
  getRecentReleases: ['GET /recent-releases', 'public'],
  getPopularProjects: ['GET /popular-projects', 'public'],
  addRelease: ['POST /add-release', 'admin'],
  syncProjects: ['POST /sync-projects', 'admin'],
  listExistingReleases: ['GET /existing-releases', 'admin'],

  uploadReport: ['POST /cluster-reports', 'pro', 201],
  listReports: ['GET /cluster-reports', 'pro'],
  compareReports: ['GET /cluster-reports/compare', 'pro'],
  reportTrends: ['GET /cluster-reports/trends', 'pro'],
  getReport: ['GET /cluster-reports/{run_id}', 'pro'],
  reportFreshness: ['GET /cluster-reports/{run_id}/freshness', 'pro'],
  recordGate: ['PUT /cluster-reports/{run_id}/gate', 'pro'],
  endSubject: ['PUT /cluster-reports/{run_id}/end', 'pro'],
  deleteReport: ['DELETE /cluster-reports/{run_id}', 'pro'],

  listFindings: ['GET /findings', 'pro'],
  listRunFindings: ['GET /cluster-reports/{run_id}/findings', 'pro'],
  listTopChecks: ['GET /findings/top', 'pro'],
  listRiskPaths: ['GET /risk-paths', 'pro'],
  splitWorkload: ['POST /findings/splits', 'pro', 201],
  getFinding: ['GET /findings/{fingerprint}', 'pro'],
  listExceptions: ['GET /exceptions', 'pro'],
  createException: ['POST /exceptions', 'pro'],
  getException: ['GET /exceptions/{exception_id}', 'pro'],
  listGateBaselines: ['GET /gate-baselines', 'pro'],
  takeInRun: ['POST /gate-baselines', 'pro', 201],
  getGatePolicy: ['GET /gate-policy', 'pro'],
  setGatePolicy: ['PUT /gate-policy', 'pro'],
  getOwners: ['GET /owners', 'pro'],
  setOwners: ['PUT /owners', 'pro'],
  expireException: ['POST /exceptions/{exception_id}/expire', 'pro'],
  listClusters: ['GET /clusters', 'pro'],
  getStatus: ['GET /status', 'pro'],
  compareClusters: ['GET /clusters/compare', 'pro'],
  getClusterMetrics: ['GET /clusters/metrics', 'pro'],
  listClusterVersions: ['GET /clusters/versions', 'pro'],
  getCluster: ['GET /clusters/{cluster_id}', 'pro'],
  updateCluster: ['PUT /clusters/{cluster_id}', 'pro'],
  deleteCluster: ['DELETE /clusters/{cluster_id}', 'pro'],

  listTeamSubscriptions: ['GET /teams/{team}/subscriptions', 'pro'],
  getTeam: ['GET /teams/{team}', 'pro'],
  addTeamMember: ['POST /teams/{team}/members', 'pro'],
  setTeamRole: ['PUT /teams/{team}/members/{login}', 'pro'],
  removeTeamMember: ['DELETE /teams/{team}/members/{login}', 'pro'],

  getImpact: ['GET /impact', 'pro'],
  getUpgradePlan: ['GET /upgrade-plan', 'pro'],
  getFleetUpgrade: ['GET /upgrade-plans', 'pro'],
  checkUpgrade: ['POST /upgrade-check', 'public'],
  getUpgradePath: ['GET /upgrade-path', 'public'],

  getMySubscriptions: ['GET /my-subscriptions', 'public'],
  listSubscriptions: ['GET /subscriptions', 'user'],
  getFeed: ['GET /feed', 'user'],
  getDashboard: ['GET /dashboard', 'user'],
  getDashboardActivity: ['GET /dashboard-activity', 'user'],
  getDashboardLogs: ['GET /dashboard-logs', 'user'],
  toggleSubscription: ['POST /toggle-sub', 'user'],
  updateSettings: ['POST /update-settings', 'user'],
  updateAccountSettings: ['PUT /account/settings', 'user'],
  testNotification: ['POST /test-notification', 'user'],
  sendTestNotification: ['POST /send-test-notification', 'user'],
  triggerDigest: ['POST /trigger-digest-email', 'user'],
  rotateWebhookSecret: ['POST /webhook-secret', 'user'],

  listDeliveries: ['GET /deliveries', 'user'],
  getDelivery: ['GET /deliveries/{delivery_id}', 'user'],
  retryDelivery: ['POST /deliveries/{delivery_id}/retry', 'user'],
  listLabels: ['GET /labels', 'pro'],
  createLabel: ['POST /labels', 'pro'],
  updateLabel: ['PUT /labels/{id}', 'pro'],
  deleteLabel: ['DELETE /labels/{id}', 'pro'],
  attachLabels: ['POST /subscriptions/{subscription_id}/labels', 'pro'],
  detachLabel: ['DELETE /subscriptions/{subscription_id}/labels/{label_id}', 'pro'],

  listKeys: ['GET /api-keys', 'user'],
  getCurrentKey: ['GET /api-keys/current', 'user'],
  createKey: ['POST /api-keys', 'pro'],
  listMade: ['GET /api-keys/{uuid}/made', 'user'],
  revokeKey: ['DELETE /api-keys/{uuid}', 'user'],

  listConfigs: ['GET /cluster-configs', 'pro'],
  createConfig: ['POST /cluster-configs', 'pro'],
  getConfig: ['GET /cluster-configs/{config_id}', 'pro'],
  updateConfig: ['PUT /cluster-configs/{config_id}', 'pro'],
  deleteConfig: ['DELETE /cluster-configs/{config_id}', 'pro'],
  getConfigCommand: ['GET /cluster-configs/{config_id}/command', 'pro'],
  getConfigFile: ['GET /cluster-configs/{config_id}/config-file', 'pro'],
  listBootstrapCandidates: ['GET /cluster-configs/bootstrap-candidates', 'pro'],
  bootstrapConfigs: ['POST /cluster-configs/bootstrap-from-reports', 'pro'],

  agentHeartbeat: ['POST /agents/heartbeat', 'pro'],
  listAgents: ['GET /agents', 'pro'],

  listFeeds: ['GET /feeds', 'user'],
  createFeed: ['POST /feeds', 'user'],
  revokeFeed: ['DELETE /feeds/{feed_id}', 'user'],

  listAudit: ['GET /audit', 'admin'],
}

/** The table of routes says of each what the interface does: the other checks go by it. */
export function checkAddresses(): void {
  test.each(everyRoute)('of %s and who may call it are those of the interface', (name, route) => {
    const { method, path, access, status = 200 } = route
    const [address, wanted, answered = 200] = addresses[name]
    expect([`${method} ${path}`, access, status]).toEqual([address, wanted, answered])
  })
}
