import type { Example } from '../../route.ts'
import type { RouteName } from '../../routes.ts'
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

/** A valid request and answer for each route. A test validates both against their schemas. */
const examples: Record<RouteName, Example> = {
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

export const exampleFor = (name: RouteName): Example => examples[name]
