import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { RouteName } from '../../../src/contract/routes.ts'
import { everyRoute } from './all.ts'

const firstPage = { page: 1, per_page: 20 }

/** What counts when a parameter is not given. */
const defaults: Partial<Record<RouteName, Record<string, unknown>>> = {
  listProjects: { ...firstPage, include_releases: false },
  listReleases: { ...firstPage, type: 'app' },
  getRecentReleases: { limit: 2, security_only: false },
  getPopularProjects: { limit: 10 },
  listExistingReleases: { page: 1, per_page: 100_000 },
  syncProjects: { cleanup_removed: false },
  listReports: { ...firstPage, latest: false },
  reportTrends: { window_days: 30, group_by_cluster: false, checks: false },
  getReport: { include_report: false },
  reportFreshness: { explain: false },
  recordGate: { exceptions: [], undecided_lines: [] },
  listClusters: { ...firstPage, sort: 'name', learn: false },
  listFindings: firstPage,
  listExceptions: { ...firstPage, include_matched: false },
  getException: { include_matched: false },
  listTeamSubscriptions: firstPage,
  listDeliveries: firstPage,
  listAudit: firstPage,
  listRunFindings: { limit: 1000 },
  listTopChecks: firstPage,
  listRiskPaths: firstPage,
  getFeed: { days: 7, mine: false },
  getDashboardActivity: { days: 7 },
  getDashboardLogs: { limit: 8 },
  triggerDigest: { frequency: 'daily' },
  createKey: { scope: 'all' },
  listConfigs: firstPage,
  createConfig: { provider: 'kubernetes', settings: {} },
}

export function checkDefaults(): void {
  test.each(everyRoute)('of %s are those of the interface', (name, { query, body }) => {
    expect({ ...toDefaults(query), ...toDefaults(body) }).toEqual(defaults[name] ?? {})
  })
}

function toDefaults(shape: z.ZodMiniObject | undefined): Record<string, unknown> {
  const members = Object.entries(shape?.def.shape ?? {})
  return Object.fromEntries(
    members.flatMap(([name, of]) => {
      const { def } = (of as z.core.$ZodTypes)._zod
      return def.type === 'default' ? [[name, def.defaultValue]] : []
    }),
  )
}
