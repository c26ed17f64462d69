import type { Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { ClusterConfigTable } from '../db/tables/cluster-config.ts'
import { notFound } from '../errors.ts'

/** A profile as it lies in the store: sealed. */
export interface StoredConfig {
  configId: string
  clusterName: string
  createdAt: number
  updatedAt: number
  keyId: string
  sealed: Uint8Array
}

export async function insertConfig(trx: Db, userId: number, config: StoredConfig): Promise<void> {
  await trx
    .insertInto('cluster_config')
    .values({
      config_id: config.configId,
      user_id: userId,
      cluster_name: config.clusterName,
      created_at: config.createdAt,
      updated_at: config.updatedAt,
      key_id: config.keyId,
      sealed: config.sealed,
    })
    .execute()
}

export async function replaceConfig(trx: Db, userId: number, config: StoredConfig): Promise<void> {
  await trx
    .updateTable('cluster_config')
    .set({
      cluster_name: config.clusterName,
      updated_at: config.updatedAt,
      key_id: config.keyId,
      sealed: config.sealed,
    })
    .where('user_id', '=', userId)
    .where('config_id', '=', config.configId)
    .execute()
}

export async function getConfig(db: Db, userId: number, configId: string): Promise<StoredConfig> {
  const row = await configsOf(db, userId).where('config_id', '=', configId).executeTakeFirst()
  if (!row) throw notFound('cluster config', configId)
  return toConfig(row)
}

/** Oldest first. */
export async function listConfigs(db: Db, userId: number): Promise<StoredConfig[]> {
  return (await configsOf(db, userId).orderBy('id').execute()).map(toConfig)
}

export async function listConfiguredClusters(db: Db, userId: number): Promise<Set<string>> {
  const rows = await db.selectFrom('cluster_config').select('cluster_name').where('user_id', '=', userId).execute()
  return new Set(rows.map((row) => row.cluster_name))
}

export async function deleteConfig(trx: Db, userId: number, configId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('cluster_config')
    .where('user_id', '=', userId)
    .where('config_id', '=', configId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('cluster config', configId)
}

function configsOf(db: Db, userId: number) {
  return db.selectFrom('cluster_config').selectAll().where('user_id', '=', userId)
}

function toConfig(row: Selectable<ClusterConfigTable>): StoredConfig {
  return {
    configId: row.config_id,
    clusterName: row.cluster_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    keyId: row.key_id,
    sealed: row.sealed,
  }
}
