import type * as z from 'zod/mini'
import { agentRoutes } from './routes/agent.ts'
import { apiKeyRoutes } from './routes/api-key.ts'
import { auditRoutes } from './routes/audit.ts'
import { catalogRoutes } from './routes/catalog.ts'
import { clusterRoutes } from './routes/cluster.ts'
import { clusterConfigRoutes } from './routes/cluster-config.ts'
import { clusterReportRoutes } from './routes/cluster-report.ts'
import { deliveryRoutes } from './routes/delivery.ts'
import { exceptionRoutes } from './routes/exception.ts'
import { feedRoutes } from './routes/feed.ts'
import { findingRoutes } from './routes/finding.ts'
import { gateBaselineRoutes } from './routes/gate-baseline.ts'
import { gatePolicyRoutes } from './routes/gate-policy.ts'
import { impactRoutes } from './routes/impact.ts'
import { labelRoutes } from './routes/label.ts'
import { ownersRoutes } from './routes/owners.ts'
import { subscriptionRoutes } from './routes/subscription.ts'
import { teamRoutes } from './routes/team.ts'
import { upgradeRoutes } from './routes/upgrade.ts'

export type { Route } from './route.ts'

/** All routes. Server, client and documentation use this table. */
export const routes = {
  ...catalogRoutes,
  ...clusterReportRoutes,
  ...findingRoutes,
  ...deliveryRoutes,
  ...exceptionRoutes,
  ...ownersRoutes,
  ...gateBaselineRoutes,
  ...gatePolicyRoutes,
  ...clusterRoutes,
  ...teamRoutes,
  ...impactRoutes,
  ...upgradeRoutes,
  ...subscriptionRoutes,
  ...labelRoutes,
  ...apiKeyRoutes,
  ...clusterConfigRoutes,
  ...agentRoutes,
  ...feedRoutes,
  ...auditRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes

/** Input of a route: fields with defaults are optional, and an upload has its report as JSON text. */
export type RouteInput<N extends RouteName> = {
  params?: z.input<Routes[N]['params']>
  query?: z.input<Routes[N]['query']>
} & (Routes[N] extends { body: infer B extends z.ZodMiniObject } ? { body: z.input<B> } : unknown) &
  (Routes[N] extends { carriesReport: true } ? { report: Uint8Array; idempotencyKey?: string | undefined } : unknown)

/** Answer of a route as relt returns it. */
export type RouteAnswer<N extends RouteName> = z.output<Routes[N]['answer']>

/** Answer of a route from any server: see `received` in the table. */
export type ReceivedAnswer<N extends RouteName> = Routes[N] extends {
  received: () => Promise<infer S extends z.ZodMiniType>
}
  ? z.output<S>
  : RouteAnswer<N>
