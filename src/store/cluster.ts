import type { Db } from '../db/open.ts'

export interface Cluster {
  id: number
  name: string
  environment: string
}

export async function getOrAddCluster(
  trx: Db,
  owner: { ownerId: number; name: string; environment: string },
): Promise<Cluster> {
  const { ownerId, name, environment } = owner
  await trx
    .insertInto('cluster')
    .values({ owner_id: ownerId, name, environment, is_keyed: 1 })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name', 'environment']).doNothing())
    .execute()
  return (await findCluster(trx, owner))!
}

interface ClusterFilter {
  ownerId: number
  name?: string | undefined
  environment?: string | undefined
}

/** Without a name: the cluster of the latest upload. Without an environment: that of the cluster's latest run. */
export async function findCluster(db: Db, wanted: ClusterFilter): Promise<Cluster | undefined> {
  const uploaded = await clustersWithRuns(db, wanted).orderBy('run.id', 'desc').limit(1).executeTakeFirst()
  if (!uploaded || wanted.environment !== undefined) return uploaded
  return clustersWithRuns(db, { ...wanted, name: uploaded.name })
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function clustersWithRuns(db: Db, { ownerId, name, environment }: ClusterFilter) {
  let query = db
    .selectFrom('cluster')
    .leftJoin('run', 'run.cluster_id', 'cluster.id')
    .select(['cluster.id', 'cluster.name', 'cluster.environment'])
    .where('cluster.owner_id', '=', ownerId)
  if (name !== undefined) query = query.where('cluster.name', '=', name)
  if (environment !== undefined) query = query.where('cluster.environment', '=', environment)
  return query
}

/** By name and environment. */
export function listClusters(db: Db, wanted: ClusterFilter): Promise<Cluster[]> {
  let query = db.selectFrom('cluster').select(['id', 'name', 'environment']).where('owner_id', '=', wanted.ownerId)
  if (wanted.name !== undefined) query = query.where('name', '=', wanted.name)
  if (wanted.environment !== undefined) query = query.where('environment', '=', wanted.environment)
  return query.orderBy('name').orderBy('environment').execute()
}
