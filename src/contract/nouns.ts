import type { RouteName } from './routes.ts'

/**
 * Route → noun. The schemas and handlers of a noun load at the first request to one of its routes, so that a command loads
 * only what it uses.
 */
export const toNoun = {
  listProjects: 'project',
  getProject: 'project',
  getProduct: 'project',
  listReleases: 'project',
  getStats: 'project',

  getRecentReleases: 'release',
  getPopularProjects: 'release',
  addRelease: 'release',
  syncProjects: 'release',
  listExistingReleases: 'release',

  uploadReport: 'cluster-report',
  listReports: 'cluster-report',
  compareReports: 'cluster-report',
  reportTrends: 'cluster-report',
  getReport: 'cluster-report',
  reportFreshness: 'cluster-report',
  deleteReport: 'cluster-report',
  recordGate: 'cluster-report',
  acceptScope: 'cluster-report',

  listFindings: 'finding',
  listRunFindings: 'finding',
  listTopChecks: 'finding',
  listRiskPaths: 'finding',
  getFinding: 'finding',
  listClusters: 'cluster',
  getStatus: 'cluster',
  compareClusters: 'cluster',
  listClusterVersions: 'cluster',
  getClusterMetrics: 'cluster',
  getCluster: 'cluster',
  updateCluster: 'cluster',
  deleteCluster: 'cluster',

  listExceptions: 'exception',
  createException: 'exception',
  getException: 'exception',
  expireException: 'exception',

  getOwners: 'owners',
  setOwners: 'owners',

  getGatePolicy: 'gate-policy',
  setGatePolicy: 'gate-policy',

  getTeam: 'team',
  listTeamSubscriptions: 'team',
  addTeamMember: 'team',
  setTeamRole: 'team',
  removeTeamMember: 'team',

  getImpact: 'impact',

  getUpgradePlan: 'upgrade',
  getFleetUpgrade: 'upgrade',
  checkUpgrade: 'upgrade',
  getUpgradePath: 'upgrade',

  getMySubscriptions: 'subscription',
  listSubscriptions: 'subscription',
  getFeed: 'subscription',
  getDashboard: 'subscription',
  getDashboardActivity: 'subscription',
  getDashboardLogs: 'subscription',
  toggleSubscription: 'subscription',
  updateSettings: 'subscription',
  updateAccountSettings: 'subscription',

  testNotification: 'notification',
  sendTestNotification: 'notification',
  triggerDigest: 'notification',
  rotateWebhookSecret: 'notification',

  listDeliveries: 'delivery',
  getDelivery: 'delivery',
  retryDelivery: 'delivery',
  dropDelivery: 'delivery',
  replayDeliveries: 'delivery',
  rehearseNotifications: 'delivery',

  listLabels: 'label',
  createLabel: 'label',
  updateLabel: 'label',
  deleteLabel: 'label',
  attachLabels: 'label',
  detachLabel: 'label',

  listKeys: 'api-key',
  getCurrentKey: 'api-key',
  createKey: 'api-key',
  listMade: 'api-key',
  revokeKey: 'api-key',

  listConfigs: 'cluster-config',
  createConfig: 'cluster-config',
  getConfig: 'cluster-config',
  updateConfig: 'cluster-config',
  deleteConfig: 'cluster-config',
  getConfigCommand: 'cluster-config',
  getConfigFile: 'cluster-config',
  listBootstrapCandidates: 'cluster-config',
  bootstrapConfigs: 'cluster-config',

  agentHeartbeat: 'agent',
  listAgents: 'agent',

  listFeeds: 'feed',
  createFeed: 'feed',
  revokeFeed: 'feed',

  listAudit: 'audit',
} as const satisfies Record<RouteName, string>

export type RouteNoun = (typeof toNoun)[RouteName]

/** The routes of a noun. */
export type RoutesOf<K extends RouteNoun> = { [N in RouteName]: (typeof toNoun)[N] extends K ? N : never }[RouteName]
