import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type RouteName, routes } from '../../src/contract/routes.ts'

/** Answers that are judged, and the tests that compare all their media. */
const judged: Partial<Record<RouteName, string[]>> = {
  checkUpgrade: ['tables.test.ts'],
  compareReports: ['tables.test.ts'],
  getCluster: ['all-answers.test.ts'],
  getException: ['tables.test.ts'],
  getFinding: ['tables.test.ts'],
  getFleetUpgrade: ['tables.test.ts'],
  getImpact: ['all-answers.test.ts', 'one-step.test.ts'],
  getProject: ['release.test.ts'],
  getReport: ['all-answers.test.ts', 'tables.test.ts'],
  getStatus: ['all-answers.test.ts'],
  getUpgradePath: ['own-releases.test.ts'],
  getUpgradePlan: ['tables.test.ts', 'own-releases.test.ts'],
  listAgents: ['all-answers.test.ts'],
  listClusterVersions: ['all-answers.test.ts', 'one-step.test.ts'],
  listClusters: ['all-answers.test.ts'],
  listDeliveries: ['tables.test.ts'],
  listExceptions: ['tables.test.ts'],
  listFindings: ['tables.test.ts'],
  listReleases: ['release.test.ts'],
  listReports: ['all-answers.test.ts'],
  listRiskPaths: ['all-answers.test.ts'],
  listTopChecks: ['all-answers.test.ts'],
  reportFreshness: ['tables.test.ts', 'one-step.test.ts', 'green-nowhere.test.ts'],
  reportTrends: ['tables.test.ts'],
}

/** Answers that nobody judges: what was set or published, names, and figures without a tone. */
const plain = `
  compareClusters getClusterMetrics getConfig getConfigCommand getConfigFile getCurrentKey getDashboard
  getDashboardActivity getDashboardLogs getDelivery getFeed getGatePolicy getMySubscriptions getOwners getPopularProjects getProduct
  getRecentReleases getStats getTeam listAudit listBootstrapCandidates listConfigs listExistingReleases listFeeds listGateBaselines listKeys
  listLabels listMade listProjects listRunFindings listSubscriptions listTeamSubscriptions
`
  .trim()
  .split(/\s+/)

test('each answer is compared in all its media, or is one that nobody judges', () => {
  const reading = Object.entries(routes).flatMap(([name, { method }]) => (method === 'GET' ? [name] : []))
  const known = [...Object.keys(judged), ...plain]
  expect(reading.filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !(name in routes))).toEqual([])
  for (const [name, files] of Object.entries(judged)) {
    const silent = files.filter((file) => {
      const source = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8')
      return !source.includes(name)
    })
    expect([name, silent]).toEqual([name, []])
  }
})
