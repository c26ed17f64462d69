import { accountPage } from './account.ts'
import { agentsPage } from './agents.ts'
import { clusterPage } from './cluster.ts'
import { clustersPage } from './clusters.ts'
import { comparePage } from './compare.ts'
import { exceptionPage, exceptionsPage } from './exceptions.ts'
import { findingPage } from './finding.ts'
import { findingsPage } from './findings.ts'
import { freshnessPage } from './freshness.ts'
import { impactPage } from './impact.ts'
import { projectPage, projectsPage } from './projects.ts'
import { runPage } from './run.ts'
import { subscriptionsPage } from './subscriptions.ts'
import { teamPage } from './team.ts'
import { trendsPage } from './trends.ts'
import { upgradePage } from './upgrade.ts'
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
  projectsPage,
  projectPage,
  subscriptionsPage,
  exceptionsPage,
  exceptionPage,
  agentsPage,
  accountPage,
  teamPage,
]
