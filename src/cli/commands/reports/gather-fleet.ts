import type { FleetReport } from '../../../html/report/fleet.ts'
import type { Cli } from '../../program/command.ts'
import { loadAllClusters } from '../clusters/load.ts'
import { toOrigin, toPart } from './gather-report.ts'

const placeKey = ({ cluster_name, environment }: { cluster_name: string | null; environment: string | null }) =>
  `${cluster_name}\n${environment}`

/** Collects the data about all clusters, or those with a label. */
export async function gatherFleet(
  cli: Cli,
  { label, environment, days }: { label?: string | undefined; environment?: string | undefined; days: number },
): Promise<FleetReport> {
  const choice = { ...(label && { label }), ...(environment && { environment }), sort: 'urgency' as const }
  const { items, first } = await loadAllClusters(cli, choice)
  const chosen = new Set(items.map(placeKey))
  const trends = await toPart(async () => {
    const answer = await cli.call('reportTrends', { query: { group_by_cluster: true, window_days: days } })
    const clusters = 'clusters' in answer ? answer.clusters : [answer]
    return { days, clusters: clusters.filter((each) => chosen.has(placeKey(each))) }
  })
  const upgrade = await toPart(() => cli.call('getFleetUpgrade', { query: { ...(label && { label }) } }))
  const { madeAt, version, server } = await toOrigin(cli.context)
  const fleet = { items, total: first.total, summary: first.summary }
  return { fleet, label: label ?? null, trends, upgrade, madeAt, version, server }
}
