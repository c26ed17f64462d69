import type { Example } from '../../route.ts'
import type { RouteName } from '../../routes.ts'
import { agentExamples } from './agent.ts'
import { apiKeyExamples } from './api-key.ts'
import { auditExamples } from './audit.ts'
import { catalogExamples } from './catalog.ts'
import { clusterExamples } from './cluster.ts'
import { clusterConfigExamples } from './cluster-config.ts'
import { clusterReportExamples } from './cluster-report.ts'
import { deliveryExamples } from './delivery.ts'
import { exceptionExamples } from './exception.ts'
import { feedExamples } from './feed.ts'
import { findingExamples } from './finding.ts'
import { gatePolicyExamples } from './gate-policy.ts'
import { impactExamples } from './impact.ts'
import { labelExamples } from './label.ts'
import { ownersExamples } from './owners.ts'
import { subscriptionExamples } from './subscription.ts'
import { teamExamples } from './team.ts'
import { upgradeExamples } from './upgrade.ts'

/** A valid request and answer for each route. A test validates both against their schemas. */
const examples: Record<RouteName, Example> = {
  ...catalogExamples,
  ...clusterReportExamples,
  ...findingExamples,
  ...deliveryExamples,
  ...exceptionExamples,
  ...ownersExamples,
  ...gatePolicyExamples,
  ...clusterExamples,
  ...teamExamples,
  ...impactExamples,
  ...upgradeExamples,
  ...subscriptionExamples,
  ...labelExamples,
  ...apiKeyExamples,
  ...clusterConfigExamples,
  ...agentExamples,
  ...feedExamples,
  ...auditExamples,
}

export const exampleFor = (name: RouteName): Example => examples[name]
