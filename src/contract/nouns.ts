import type { RouteName } from './routes.ts'

/**
 * The routes of each noun. Its schemas and handlers load at the first request to one of its routes, so that a command loads
 * only what it uses.
 */
const routesByNoun = {
  project: ['listProjects', 'getProject', 'getProduct', 'listReleases', 'getStats'],
  release: ['getRecentReleases', 'getPopularProjects', 'addRelease', 'syncProjects', 'listExistingReleases'],
  'cluster-report': [
    'uploadReport',
    'listReports',
    'compareReports',
    'reportTrends',
    'getReport',
    'reportFreshness',
    'deleteReport',
    'recordGate',
    'endSubject',
  ],
  finding: ['listFindings', 'listRunFindings', 'listTopChecks', 'listRiskPaths', 'splitWorkload', 'getFinding'],
  cluster: [
    'listClusters',
    'getStatus',
    'compareClusters',
    'listClusterVersions',
    'getClusterMetrics',
    'getCluster',
    'updateCluster',
    'deleteCluster',
  ],
  exception: ['listExceptions', 'createException', 'getException', 'expireException'],
  owners: ['getOwners', 'setOwners'],
  'gate-baseline': ['listGateBaselines', 'takeInRun'],
  'gate-policy': ['getGatePolicy', 'setGatePolicy'],
  team: ['getTeam', 'listTeamSubscriptions', 'addTeamMember', 'setTeamRole', 'removeTeamMember'],
  impact: ['getImpact'],
  upgrade: ['getUpgradePlan', 'getFleetUpgrade', 'checkUpgrade', 'getUpgradePath'],
  subscription: [
    'getMySubscriptions',
    'listSubscriptions',
    'getFeed',
    'getDashboard',
    'getDashboardActivity',
    'getDashboardLogs',
    'toggleSubscription',
    'updateSettings',
    'updateAccountSettings',
  ],
  notification: ['testNotification', 'sendTestNotification', 'triggerDigest', 'rotateWebhookSecret'],
  delivery: ['listDeliveries', 'getDelivery', 'retryDelivery'],
  label: ['listLabels', 'createLabel', 'updateLabel', 'deleteLabel', 'attachLabels', 'detachLabel'],
  'api-key': ['listKeys', 'getCurrentKey', 'createKey', 'listMade', 'revokeKey'],
  'cluster-config': [
    'listConfigs',
    'createConfig',
    'getConfig',
    'updateConfig',
    'deleteConfig',
    'getConfigCommand',
    'getConfigFile',
    'listBootstrapCandidates',
    'bootstrapConfigs',
  ],
  agent: ['agentHeartbeat', 'listAgents'],
  feed: ['listFeeds', 'createFeed', 'revokeFeed'],
  audit: ['listAudit'],
} as const satisfies Record<string, RouteName[]>

export type RouteNoun = keyof typeof routesByNoun

/** The routes of a noun. */
export type RoutesOf<K extends RouteNoun> = (typeof routesByNoun)[K][number]

/** A route without a noun is a type error. */
export const toNoun: Record<RouteName, RouteNoun> = invert(routesByNoun)

function invert<K extends string, V extends string>(lists: Record<K, readonly V[]>): Record<V, K> {
  const pairs = Object.entries<readonly V[]>(lists).flatMap(([key, list]) => list.map((value) => [value, key]))
  return Object.fromEntries(pairs)
}
