import type { Db } from '../../db/open.ts'
import { notFound } from '../../errors.ts'
import { type LatestRun, listLatestOfAllSeries } from '../../store/runs/latest-run.ts'
import { getRun } from '../../store/runs/run.ts'

export interface RunChoice {
  ownerId: number
  runId?: string | undefined
  clusterName?: string | undefined
  environment?: string | undefined
}

/**
 * The named run, or the latest run of each scanner of the chosen clusters. Throws `not_found` if the user does not have the
 * named run or cluster.
 */
export async function chooseLatestRuns(
  db: Db,
  { ownerId, runId, clusterName, environment }: RunChoice,
): Promise<LatestRun[]> {
  if (runId !== undefined) return [await getRun(db, ownerId, runId)]
  const runs = await listLatestOfAllSeries(db, { ownerId, name: clusterName, environment })
  if (runs.length > 0 || clusterName === undefined) return runs
  throw notFound(`report of cluster ${clusterName}${environment === undefined ? '' : ` (${environment})`}`)
}
