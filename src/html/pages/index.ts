import { accountPage } from './account.ts'
import { agentsPage } from './agents.ts'
import { auditPage } from './audit.ts'
import { clusterPage } from './cluster.ts'
import { clustersPage } from './clusters.ts'
import { comparePage } from './compare.ts'
import { deliveriesPage, deliveryPage } from './deliveries.ts'
import { exceptionPage, exceptionsPage } from './exceptions.ts'
import { findingPage } from './finding.ts'
import { findingsPage } from './findings.ts'
import { freshnessPage } from './freshness.ts'
import { impactPage } from './impact.ts'
import { notificationSettingsPage } from './notification-settings.ts'
import { ownersPage } from './owners.ts'
import { passwordPage } from './password.ts'
import { projectPage, projectsPage } from './projects.ts'
import { releasesPage } from './releases.ts'
import { runPage } from './run.ts'
import { subscriptionsPage } from './subscriptions.ts'
import { teamPage } from './team.ts'
import { trendsPage } from './trends.ts'
import { upgradePage } from './upgrade.ts'
import { versionsPage } from './versions.ts'
import type { WebPage } from './view.ts'

/** All pages, in the order of the navigation. */
export const pages: readonly WebPage[] = [
  clustersPage,
  clusterPage,
  runPage,
  freshnessPage,
  comparePage,
  trendsPage,
  findingsPage,
  findingPage,
  impactPage,
  upgradePage,
  versionsPage,
  releasesPage,
  projectsPage,
  projectPage,
  subscriptionsPage,
  deliveriesPage,
  deliveryPage,
  exceptionsPage,
  exceptionPage,
  agentsPage,
  ownersPage,
  accountPage,
  notificationSettingsPage,
  passwordPage,
  teamPage,
  auditPage,
]
