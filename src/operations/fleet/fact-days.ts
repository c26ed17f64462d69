import type { Db } from '../../db/open.ts'
import { insteadOf } from '../../errors.ts'
import { listRunningParts } from '../../store/fleet/summary.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import type { Asking } from '../findings/accepting.ts'
import { readFigures } from './running-figures.ts'
import { openRunning } from './running-versions.ts'

/**
 * Cluster id → day of the oldest facts about running artifacts, `YYYY-MM-DD`. Omits clusters without an inventory, and all
 * if the store's key is missing.
 */
export async function findFactDays(db: Db, { ownerId, clusterIds, vault, now }: Asking & { clusterIds: number[] }) {
  const parts = clusterIds.length > 0 ? await listRunningParts(db, { ownerId, clusterIds }, 2) : []
  if (parts.length === 0) return new Map()
  const keys = await vault().catch(insteadOf('key_unavailable', undefined))
  if (!keys) return new Map()
  const date = await getCatalogDate(db, now)
  return new Map(
    parts.map((part) => [part.clusterId, readFigures(openRunning(keys, part, 2)).known_until ?? date] as const),
  )
}
