import type { Provider } from '../../contract/cluster-config.ts'
import type { Db } from '../../db/open.ts'
import { countRows, selectPage } from '../../db/page.ts'
import { notFound } from '../../errors.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import type { Sealed } from '../../util/seal.ts'

/** A profile as stored: sealed. */
export interface StoredConfig {
  configId: string
  name: string
  provider: Provider
  clusterName: string
  createdAt: number
  updatedAt: number
  keyId: string
  sealed: Sealed
}

export async function insertConfig(trx: Db, ownerId: number, config: StoredConfig): Promise<void> {
  const { configId, createdAt } = config
  await trx
    .insertInto('cluster_config')
    .values({ config_id: configId, owner_id: ownerId, created_at: createdAt, ...toColumns(config) })
    .execute()
}

export async function replaceConfig(trx: Db, ownerId: number, config: StoredConfig): Promise<void> {
  await trx
    .updateTable('cluster_config')
    .set(toColumns(config))
    .where('owner_id', '=', ownerId)
    .where('config_id', '=', config.configId)
    .execute()
}

export async function getConfig(db: Db, ownerId: number, configId: string): Promise<StoredConfig> {
  const row = await configsFor(db, ownerId).where('config_id', '=', configId).executeTakeFirst()
  if (!row) throw notFound('scan profile', configId)
  return row
}

/** Oldest first. */
export function listConfigs(db: Db, ownerId: number, choice: PageChoice): Promise<Page<StoredConfig>> {
  return selectPage(configsFor(db, ownerId).orderBy('id'), choice, (config) => config)
}

/** All profiles of an owner, oldest first. */
export function listAllConfigs(db: Db, ownerId: number): Promise<StoredConfig[]> {
  return configsFor(db, ownerId).orderBy('id').execute()
}

export async function moveConfig(trx: Db, configId: string, ownerId: number): Promise<void> {
  await trx.updateTable('cluster_config').set({ owner_id: ownerId }).where('config_id', '=', configId).execute()
}

export type ConfigSummary = Omit<StoredConfig, 'keyId' | 'sealed'>

/** Like `listAllConfigs`, without the sealed part, so that large profiles are not read. */
export function listConfigSummaries(db: Db, ownerId: number, choice: PageChoice): Promise<Page<ConfigSummary>> {
  return selectPage(summariesFor(db, ownerId).orderBy('id'), choice, (summary) => summary)
}

export function countConfigs(db: Db, ownerId: number): Promise<number> {
  return countRows(db.selectFrom('cluster_config').where('owner_id', '=', ownerId))
}

export async function listConfiguredClusters(db: Db, ownerId: number): Promise<Set<string>> {
  const rows = await db.selectFrom('cluster_config').select('cluster_name').where('owner_id', '=', ownerId).execute()
  return new Set(rows.map((row) => row.cluster_name))
}

export async function deleteConfig(trx: Db, ownerId: number, configId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('cluster_config')
    .where('owner_id', '=', ownerId)
    .where('config_id', '=', configId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('scan profile', configId)
}

function summariesFor(db: Db, ownerId: number) {
  return db
    .selectFrom('cluster_config')
    .select(['config_id as configId', 'name', 'provider', 'cluster_name as clusterName'])
    .select(['created_at as createdAt', 'updated_at as updatedAt'])
    .where('owner_id', '=', ownerId)
}

function configsFor(db: Db, ownerId: number) {
  return summariesFor(db, ownerId).select(['key_id as keyId', 'sealed'])
}

/** What a change replaces. */
function toColumns({ name, provider, clusterName, updatedAt, keyId, sealed }: StoredConfig) {
  return { name, provider, cluster_name: clusterName, updated_at: updatedAt, key_id: keyId, sealed }
}
