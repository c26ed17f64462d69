import type { Db } from '../../db/open.ts'
import { notFound } from '../../errors.ts'
import { identityVersion } from '../../reports/fingerprint.ts'
import { listOutdatedClusters } from '../../store/runs/identity.ts'
import { type LatestRun, listLatestOfAllSeries } from '../../store/runs/latest-run.ts'
import { getRun } from '../../store/runs/run.ts'
import type { Vault } from '../keys/vault.ts'
import { reindexRuns } from './reindex-runs.ts'

export interface RunChoice {
  ownerId: number
  runId?: string | undefined
  clusterName?: string | undefined
  environment?: string | undefined
}

/**
 * The named run, or the latest run of each scanner of the chosen clusters, indexed by current rules. Throws `not_found` if
 * the user does not have the named run or cluster.
 */
export async function chooseLatestRuns(
  db: Db,
  { ownerId, runId, clusterName, environment }: RunChoice,
  vault: () => Promise<Vault>,
): Promise<LatestRun[]> {
  const find = async () => {
    if (runId !== undefined) return [await getRun(db, ownerId, runId)]
    return listLatestOfAllSeries(db, { ownerId, name: clusterName, environment })
  }
  const runs = await find()
  if (runs.length === 0 && clusterName !== undefined) {
    throw notFound(`report of cluster ${clusterName}${environment === undefined ? '' : ` (${environment})`}`)
  }
  const outdated = await listOutdatedClusters(db, identityVersion)
  const clusters = new Set(runs.map(({ clusterId }) => clusterId).filter((id) => outdated.has(id)))
  for (const clusterId of clusters) await reindexRuns(db, { vault, clusterId })
  return clusters.size > 0 ? find() : runs
}
