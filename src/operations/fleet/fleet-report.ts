import type { Db } from '../../db/open.ts'
import type { FleetReport } from '../../html/report/fleet.ts'
import { listClusterFigures } from '../../store/fleet/figures.ts'
import { listTrendPoints } from '../../store/runs/list-runs.ts'
import { daySeconds } from '../../util/time.ts'
import { version } from '../../version.ts'
import type { Asking } from '../findings/accepting.ts'
import { pageOfClusters } from './clusters.ts'
import { refreshClusters } from './refresh.ts'
import { planFleet } from './upgrade-fleet.ts'

interface Options extends Asking {
  /** Another process computes missing figures. */
  keepsFigures?: boolean | undefined
  /** Length of the trends. */
  days: number
}

const mostClusters = 100_000

/** Collects the data of the one-page report on all clusters of an owner. */
export async function makeFleetReport(db: Db, { keepsFigures, days, ...asking }: Options): Promise<FleetReport> {
  const { ownerId, now } = asking
  while (!keepsFigures && (await refreshClusters(db, asking)) > 0);
  const figures = await listClusterFigures(db, { ownerId }, now)
  const page = await pageOfClusters(db, figures, { sort: 'urgency', page: 1, perPage: mostClusters }, asking)
  const clusters = []
  for (const { id, name, environment } of figures) {
    const place = { cluster_name: name, environment }
    const scanners = await listTrendPoints(db, id, now - days * daySeconds)
    clusters.push(
      ...(scanners.length > 0
        ? scanners.map(({ latest: _, ...each }) => ({ ...place, ...each }))
        : [{ ...place, points: [] }]),
    )
  }
  const upgrade = await planFleet(db, { ...asking, label: undefined, to: undefined, order: [] })
  return {
    fleet: { items: page.items, total: page.total, summary: page.summary },
    label: null,
    trends: { found: { days, clusters } },
    upgrade: { found: upgrade },
    madeAt: now,
    version,
    server: null,
  }
}
