import { type Route, type RouteName, routes } from '../../../src/contract/routes.ts'
import { agentTable } from './agent.ts'
import { apiKeyTable } from './api-key.ts'
import { catalogTable } from './catalog.ts'
import { clusterTable } from './cluster.ts'
import { clusterConfigTable } from './cluster-config.ts'
import { clusterReportTable } from './cluster-report.ts'
import { deliveryTable } from './delivery.ts'
import { exceptionTable } from './exception.ts'
import { auditTable, feedTable } from './feed.ts'
import { findingTable } from './finding.ts'
import { gateBaselineTable } from './gate-baseline.ts'
import { gatePolicyTable } from './gate-policy.ts'
import { impactTable } from './impact.ts'
import { labelTable } from './label.ts'
import { ownersTable } from './owners.ts'
import { subscriptionTable } from './subscription.ts'
import type { Rows, Table } from './table.ts'
import { teamTable } from './team-members.ts'
import { upgradeTable } from './upgrade.ts'

const table: Table<RouteName> = {
  ...catalogTable,
  ...clusterReportTable,
  ...findingTable,
  ...deliveryTable,
  ...exceptionTable,
  ...ownersTable,
  ...gateBaselineTable,
  ...gatePolicyTable,
  ...clusterTable,
  ...teamTable,
  ...impactTable,
  ...upgradeTable,
  ...subscriptionTable,
  ...labelTable,
  ...apiKeyTable,
  ...clusterConfigTable,
  ...agentTable,
  ...feedTable,
  ...auditTable,
}

/** Each route with what must hold for it. */
export const everyRoute = (Object.entries(routes) as [RouteName, Route][]).map(
  ([name, route]): [RouteName, Route, Rows] => [name, route, table[name]],
)
