import { requestFor } from '../../../src/contract/openapi/requests.ts'
import type { RouteName } from '../../../src/contract/routes.ts'
import { accountExamples } from './account.ts'
import { catalogExamples } from './catalog.ts'
import { clusterExamples } from './cluster.ts'
import { clusterConfigExamples } from './cluster-config.ts'
import { clusterReportExamples } from './cluster-report.ts'
import { findingExamples } from './finding.ts'
import { notificationExamples } from './notification.ts'
import { policyExamples } from './policy.ts'
import { subscriptionExamples } from './subscription.ts'
import { upgradeExamples } from './upgrade.ts'

/** A valid answer of each route. A test validates them against their schemas. */
const examples: Record<RouteName, { answer: object }> = {
  ...catalogExamples,
  ...clusterReportExamples,
  ...findingExamples,
  ...notificationExamples,
  ...policyExamples,
  ...clusterExamples,
  ...upgradeExamples,
  ...subscriptionExamples,
  ...accountExamples,
  ...clusterConfigExamples,
}

/** A valid request and its answer. */
export const exampleFor = (name: RouteName) => ({ ...requestFor(name), ...examples[name] })
