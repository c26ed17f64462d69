import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { takeLock } from '../../db/transaction.ts'

export interface Cluster {
  id: number
  name: string
  environment: string
}

/** Adds the cluster if missing, and locks its runs. Returns its row id. */
export async function lockOrAddCluster(
  trx: Db,
  { ownerId, name, environment }: { ownerId: number; name: string; environment: string },
): Promise<number> {
  for (;;) {
    await trx
      .insertInto('cluster')
      .values({ owner_id: ownerId, name, environment })
      .onConflict((conflict) => conflict.columns(['owner_id', 'name', 'environment']).doNothing())
      .execute()
    const found = await findClusterNamed(trx, ownerId, { name, environment })
    if (!found) continue
    await takeLock(trx, `cluster:${found.id} runs`)
    // While waiting for the lock, another transaction may have removed or renamed the cluster.
    const current = await findClusterNamed(trx, ownerId, { name, environment })
    if (current?.id === found.id) return found.id
  }
}

interface ClusterFilter {
  ownerId: number
  name?: string | undefined
  environment?: string | undefined
}

export async function getClusterOwner(db: Db, id: number): Promise<number> {
  const { owner_id } = await db.selectFrom('cluster').select('owner_id').where('id', '=', id).executeTakeFirstOrThrow()
  return owner_id
}

/** The branch whose runs are the state of the cluster's images, folders and tools, once it is known. */
export async function findBranch(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('cluster').select('branch').where('id', '=', id).executeTakeFirst()
  return row?.branch ?? undefined
}

export async function setBranch(trx: Db, id: number, branch: string): Promise<void> {
  await trx.updateTable('cluster').set({ branch }).where('id', '=', id).execute()
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

/** Sorted by name and environment. */
export function listClusters(db: Db, wanted: ClusterFilter): Promise<Cluster[]> {
  let query = db.selectFrom('cluster').select(['id', 'name', 'environment']).where('owner_id', '=', wanted.ownerId)
  if (wanted.name !== undefined) query = query.where('name', '=', wanted.name)
  if (wanted.environment !== undefined) query = query.where('environment', '=', wanted.environment)
  return query.orderBy('name').orderBy('environment').execute()
}

/** A cluster without runs, labels and expected reports. Others stay visible if they are no longer scanned. */
export function isForgettable(eb: ExpressionBuilder<Tables, 'cluster'>) {
  return eb.and([
    eb('cluster.expected_every', 'is', null),
    eb('cluster.labels', '=', '[]'),
    eb.not(eb.exists(eb.selectFrom('run').select('run.id').whereRef('run.cluster_id', '=', 'cluster.id'))),
  ])
}

export async function findClusterNamed(
  db: Db,
  ownerId: number,
  { name, environment }: { name: string; environment: string },
): Promise<{ id: number; publicId: string } | undefined> {
  return db
    .selectFrom('cluster')
    .select(['id', 'public_id as publicId'])
    .where('owner_id', '=', ownerId)
    .where('name', '=', name)
    .where('environment', '=', environment)
    .executeTakeFirst()
}

export function hasClusters(db: Db, ownerId: number): Promise<boolean> {
  return hasRows(db.selectFrom('cluster').where('owner_id', '=', ownerId))
}

export interface ClusterSettings {
  name: string
  environment: string
  /** Absent fields do not change. */
  labels?: string[] | undefined
  /** Seconds; null removes the setting. */
  expectedEvery?: number | null | undefined
}

export async function changeCluster(
  trx: Db,
  id: number,
  { name, environment, labels, expectedEvery }: ClusterSettings,
): Promise<void> {
  const values = {
    name,
    environment,
    ...(labels && { labels: JSON.stringify(labels) }),
    ...(expectedEvery !== undefined && { expected_every: expectedEvery }),
  }
  await trx.updateTable('cluster').set(values).where('id', '=', id).execute()
}

/** Deletes a cluster with its runs, their sealed parts and its history. */
export async function deleteCluster(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('cluster').where('id', '=', id).execute()
}
