import { type RouteNoun, type RoutesOf, toNoun } from './nouns.ts'
import type { Route } from './route.ts'
import type { RouteName, Routes } from './routes.ts'

const catalog = async () => (await import('./routes/catalog.ts')).catalogRoutes
const subscriptions = async () => (await import('./routes/subscription.ts')).subscriptionRoutes

const tables: { [K in RouteNoun]: () => Promise<Pick<Routes, RoutesOf<K>>> } = {
  project: catalog,
  release: catalog,
  'cluster-report': async () => (await import('./routes/cluster-report.ts')).clusterReportRoutes,
  finding: async () => (await import('./routes/finding.ts')).findingRoutes,
  team: async () => (await import('./routes/team.ts')).teamRoutes,
  delivery: async () => (await import('./routes/delivery.ts')).deliveryRoutes,
  exception: async () => (await import('./routes/exception.ts')).exceptionRoutes,
  'gate-baseline': async () => (await import('./routes/gate-baseline.ts')).gateBaselineRoutes,
  'gate-policy': async () => (await import('./routes/gate-policy.ts')).gatePolicyRoutes,
  owners: async () => (await import('./routes/owners.ts')).ownersRoutes,
  cluster: async () => (await import('./routes/cluster.ts')).clusterRoutes,
  impact: async () => (await import('./routes/impact.ts')).impactRoutes,
  upgrade: async () => (await import('./routes/upgrade.ts')).upgradeRoutes,
  subscription: subscriptions,
  notification: subscriptions,
  label: async () => (await import('./routes/label.ts')).labelRoutes,
  'api-key': async () => (await import('./routes/api-key.ts')).apiKeyRoutes,
  'cluster-config': async () => (await import('./routes/cluster-config.ts')).clusterConfigRoutes,
  feed: async () => (await import('./routes/feed.ts')).feedRoutes,
  audit: async () => (await import('./routes/audit.ts')).auditRoutes,
  agent: async () => (await import('./routes/agent.ts')).agentRoutes,
}

/** Loads one route of the table with the schemas of its noun only. */
export async function loadRoute(name: RouteName) {
  const table: Partial<Record<RouteName, Route>> = await tables[toNoun[name]]()
  return table[name]!
}
