import type { FleetReport } from '../../src/html/report/fleet.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { day, now, openService } from '../operations/service.ts'

/** A report of so many clusters with two runs each, all alike but for their names. */
export async function toFleetReport(clusters: number): Promise<FleetReport> {
  const { call, upload } = await openService()
  const rows = [{ check: 'SEC001', severity: 'critical', namespace: 'shop', resource: 'deployment/web' }]
  await upload(rows, { cluster: 'prod', score: 80, generatedAt: formatTimestamp(now - 2 * day) })
  const more = [...rows, { check: 'SEC002', severity: 'high', resource: 'pod/new' }]
  await upload(more, { cluster: 'prod', score: 71, generatedAt: formatTimestamp(now - day) })
  const { items, summary } = await call('listClusters', {})
  const trends = await call('reportTrends', { query: { group_by_cluster: true } })
  const [cluster] = items
  const [trend] = 'clusters' in trends ? trends.clusters : []
  const named = Array.from({ length: clusters }, (_, i) => `prod-${i}<script>`)
  const points = Array.from({ length: 30 }, (_, i) => trend!.points[i % 2]!)
  return {
    fleet: {
      items: named.map((cluster_name) => ({ ...cluster!, cluster_name })),
      total: clusters,
      summary: { ...summary, clusters },
    },
    label: null,
    trends: { found: { days: 30, clusters: named.map((cluster_name) => ({ ...trend!, cluster_name, points })) } },
    upgrade: { found: await call('getFleetUpgrade', {}) },
    ...{ madeAt: now, version: '0.1.0', server: null },
  }
}
