import type { Db } from '../../db/open.ts'
import { insteadOf } from '../../errors.ts'
import { listProjectFacts } from '../../store/catalog/project-facts.ts'
import { listRunningParts } from '../../store/fleet/summary.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import { dayOfFacts } from '../catalog/stale-projects.ts'
import type { Asking } from '../findings/accepting.ts'
import { openRunning, readRunning } from './running-versions.ts'

/**
 * Cluster id → day of the oldest facts about running artifacts, `YYYY-MM-DD`. Omits clusters without an inventory, and all
 * if the store's key is missing.
 */
export async function findFactDays(db: Db, { ownerId, clusterIds, vault, now }: Asking & { clusterIds: number[] }) {
  const parts = clusterIds.length > 0 ? await listRunningParts(db, { ownerId, clusterIds }, 0) : []
  if (parts.length === 0) return new Map()
  const keys = await vault().catch(insteadOf('key_unavailable', undefined))
  if (!keys) return new Map()
  const running = parts.map((part) => ({
    clusterId: part.clusterId,
    projectIds: readRunning(openRunning(keys, part, 0)).flatMap(({ projectId }) => projectId ?? []),
  }))
  const date = await getCatalogDate(db, now)
  const facts = await listProjectFacts(db, [...new Set(running.flatMap(({ projectIds }) => projectIds))])
  const toDay = new Map(facts.map((one) => [one.id, dayOfFacts(one, date)]))
  return new Map(
    running.map(({ clusterId, projectIds }) => {
      const days = projectIds.map((id) => toDay.get(id) ?? date)
      return [clusterId, days.sort()[0] ?? date]
    }),
  )
}
