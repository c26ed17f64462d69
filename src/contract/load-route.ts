import type { Route } from './route.ts'
import type { RouteName } from './routes.ts'

const apiKeys = async () => (await import('./routes/api-key.ts')).apiKeyRoutes
const catalog = async () => (await import('./routes/catalog.ts')).catalogRoutes
const clusterConfigs = async () => (await import('./routes/cluster-config.ts')).clusterConfigRoutes
const clusterReports = async () => (await import('./routes/cluster-report.ts')).clusterReportRoutes
const impact = async () => (await import('./routes/impact.ts')).impactRoutes
const labels = async () => (await import('./routes/label.ts')).labelRoutes
const subscriptions = async () => (await import('./routes/subscription.ts')).subscriptionRoutes

const nouns: { [N in RouteName]: () => Promise<{ [K in N]: Route }> } = {
  listProjects: catalog,
  getProject: catalog,
  listReleases: catalog,
  getStats: catalog,
  getProduct: catalog,
  getRecentReleases: catalog,
  getPopularProjects: catalog,
  addRelease: catalog,
  syncProjects: catalog,
  listExistingReleases: catalog,

  uploadReport: clusterReports,
  listReports: clusterReports,
  compareReports: clusterReports,
  reportTrends: clusterReports,
  getReport: clusterReports,
  reportFreshness: clusterReports,
  deleteReport: clusterReports,

  getImpact: impact,

  getMySubscriptions: subscriptions,
  listSubscriptions: subscriptions,
  getFeed: subscriptions,
  getDashboard: subscriptions,
  getDashboardActivity: subscriptions,
  getDashboardLogs: subscriptions,
  toggleSubscription: subscriptions,
  updateSettings: subscriptions,
  updateAccountSettings: subscriptions,
  testNotification: subscriptions,
  sendTestNotification: subscriptions,
  triggerDigest: subscriptions,

  listLabels: labels,
  createLabel: labels,
  updateLabel: labels,
  deleteLabel: labels,
  attachLabels: labels,
  detachLabel: labels,

  listKeys: apiKeys,
  getCurrentKey: apiKeys,
  createKey: apiKeys,
  revokeKey: apiKeys,

  listConfigs: clusterConfigs,
  createConfig: clusterConfigs,
  getConfig: clusterConfigs,
  updateConfig: clusterConfigs,
  deleteConfig: clusterConfigs,
  getConfigCommand: clusterConfigs,
  getConfigFile: clusterConfigs,
  listBootstrapCandidates: clusterConfigs,
  bootstrapConfigs: clusterConfigs,
}

/** One route of the table with the shapes of its noun, and not those of the others. */
export async function loadRoute<N extends RouteName>(name: N): Promise<Route> {
  return (await nouns[name]())[name]
}
