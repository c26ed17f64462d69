import type { Db } from '../../db/open.ts'
import type { InstalledVersion, InstalledVersions } from '../../delivery/rules.ts'
import { hasUnreadRuns, listClusterNames } from '../../store/fleet/cluster-names.ts'
import { listRunningParts } from '../../store/fleet/summary.ts'
import { remember } from '../../util/remember.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Asking } from '../findings/accepting.ts'
import { type Distributions, findDistributions } from '../freshness/distributions.ts'
import { refreshClusters } from './refresh.ts'
import { findRunning, openRunning, type RunningArtifact } from './running-versions.ts'

/**
 * Running versions of some projects in the latest runs of these owners' clusters. `keepsFigures`: another process computes
 * missing figures.
 */
export async function findRunningFor(
  {
    db,
    keepsFigures = false,
    ...asking
  }: Omit<Asking, 'ownerId' | 'now'> & { db: Db; keepsFigures?: boolean | undefined },
  wanted: { ownerIds: Iterable<number>; projectIds: Iterable<number> },
  now: UnixSeconds,
): Promise<InstalledVersions> {
  const projectIds = [...wanted.projectIds]
  const found = new Map<number, InstalledVersion[]>()
  if (projectIds.length === 0) return found
  const known = await findDistributions(db)
  for (const ownerId of wanted.ownerIds) {
    while (
      !keepsFigures &&
      (await hasUnreadRuns(db, ownerId)) &&
      (await refreshClusters(db, { ...asking, ownerId, now })) > 0
    );
    const parts = await listRunningParts(db, { ownerId }, 0)
    if (parts.length === 0) continue
    const keys = await asking.vault()
    const clusters = new Map((await listClusterNames(db, ownerId)).map((cluster) => [cluster.id, cluster]))
    for (const part of parts) {
      const { name: cluster, environment, labels } = clusters.get(part.clusterId)!
      const list = openRunning(keys, part, 0)
      for (const projectId of projectIds) {
        for (const one of releasedIn(list, projectId, known)) {
          const { type: kind, name, version, offering, releasedBy } = one
          const running = remember(found, projectId, () => [])
          running.push({ ownerId, cluster, environment, labels, kind, name, version, offering, releasedBy })
        }
      }
    }
  }
  return found
}

type Released = RunningArtifact & { releasedBy?: number | undefined }

/** Running versions of a project; for a distribution, also Kubernetes in the clusters that run it. */
function releasedIn(list: Buffer, projectId: number, { kubernetes, distributions }: Distributions) {
  const find = (id: number): Released[] =>
    (findRunning(list, id)?.artifacts ?? []).map((one) => ({
      ...one,
      releasedBy: one.type === 'kubernetes' ? distributions.get(one.offering ?? '') : undefined,
    }))
  if (kubernetes === undefined || !distributions.values().some((id) => id === projectId)) return find(projectId)
  return [...find(projectId), ...find(kubernetes).filter(({ releasedBy }) => releasedBy === projectId)]
}
