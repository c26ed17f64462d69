import type { Db } from '../db/open.ts'

export interface Cluster {
  id: number
  name: string
  environment: string
}

export async function getOrAddCluster(
  trx: Db,
  owner: { userId: number; name: string; environment: string },
): Promise<Cluster> {
  const { userId, name, environment } = owner
  await trx
    .insertInto('cluster')
    .values({ user_id: userId, name, environment })
    .onConflict((conflict) => conflict.columns(['user_id', 'name', 'environment']).doNothing())
    .execute()
  return (await findCluster(trx, owner))!
}

/** Without a name: the cluster of the latest upload. Without an environment: the one of its latest upload. */
export function findCluster(
  db: Db,
  wanted: { userId: number; name?: string | undefined; environment?: string | undefined },
): Promise<Cluster | undefined> {
  let query = db
    .selectFrom('cluster')
    .leftJoin('run', 'run.cluster_id', 'cluster.id')
    .select(['cluster.id', 'cluster.name', 'cluster.environment'])
    .where('cluster.user_id', '=', wanted.userId)
  if (wanted.name !== undefined) query = query.where('cluster.name', '=', wanted.name)
  if (wanted.environment !== undefined) query = query.where('cluster.environment', '=', wanted.environment)
  return query.orderBy('run.id', 'desc').limit(1).executeTakeFirst()
}

export function listClusters(
  db: Db,
  wanted: { userId: number; name?: string | undefined; environment?: string | undefined },
): Promise<Cluster[]> {
  let query = db.selectFrom('cluster').select(['id', 'name', 'environment']).where('user_id', '=', wanted.userId)
  if (wanted.name !== undefined) query = query.where('name', '=', wanted.name)
  if (wanted.environment !== undefined) query = query.where('environment', '=', wanted.environment)
  return query.orderBy('name').orderBy('environment').execute()
}
