import type { Selectable } from 'kysely'
import type { Provider } from '../../contract/cluster-config.ts'
import type { Db } from '../../db/open.ts'
import { countRows, selectPage } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
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
  await trx
    .insertInto('cluster_config')
    .values({
      config_id: config.configId,
      owner_id: ownerId,
      cluster_name: config.clusterName,
      name: config.name,
      provider: config.provider,
      created_at: config.createdAt,
      updated_at: config.updatedAt,
      key_id: config.keyId,
      sealed: config.sealed,
    })
    .execute()
}

export async function replaceConfig(trx: Db, ownerId: number, config: StoredConfig): Promise<void> {
  await trx
    .updateTable('cluster_config')
    .set({
      cluster_name: config.clusterName,
      name: config.name,
      provider: config.provider,
      updated_at: config.updatedAt,
      key_id: config.keyId,
      sealed: config.sealed,
    })
    .where('owner_id', '=', ownerId)
    .where('config_id', '=', config.configId)
    .execute()
}

export async function getConfig(db: Db, ownerId: number, configId: string): Promise<StoredConfig> {
  const row = await configsFor(db, ownerId).where('config_id', '=', configId).executeTakeFirst()
  if (!row) throw notFound('scan profile', configId)
  return toConfig(row)
}

/** Oldest first. */
export function listConfigs(db: Db, ownerId: number, choice: PageChoice): Promise<Page<StoredConfig>> {
  return selectPage(configsFor(db, ownerId).orderBy('id'), choice, toConfig)
}

/** All profiles of an owner, oldest first. */
export async function listAllConfigs(db: Db, ownerId: number): Promise<StoredConfig[]> {
  return (await configsFor(db, ownerId).orderBy('id').execute()).map(toConfig)
}

export async function moveConfig(trx: Db, configId: string, ownerId: number): Promise<void> {
  await trx.updateTable('cluster_config').set({ owner_id: ownerId }).where('config_id', '=', configId).execute()
}

export type ConfigSummary = Pick<
  StoredConfig,
  'configId' | 'name' | 'provider' | 'clusterName' | 'createdAt' | 'updatedAt'
>

/** Like `listAllConfigs`, without the sealed part, so that large profiles are not read. */
export function listConfigSummaries(db: Db, ownerId: number, choice: PageChoice): Promise<Page<ConfigSummary>> {
  const query = db
    .selectFrom('cluster_config')
    .select(['config_id', 'name', 'provider', 'cluster_name', 'created_at', 'updated_at'])
    .where('owner_id', '=', ownerId)
    .orderBy('id')
  return selectPage(query, choice, toSummary)
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

function configsFor(db: Db, ownerId: number) {
  return db.selectFrom('cluster_config').selectAll().where('owner_id', '=', ownerId)
}

type SummaryRow = Pick<
  Selectable<Tables['cluster_config']>,
  'config_id' | 'name' | 'provider' | 'cluster_name' | 'created_at' | 'updated_at'
>

function toSummary(row: SummaryRow): ConfigSummary {
  return {
    configId: row.config_id,
    name: row.name,
    provider: row.provider,
    clusterName: row.cluster_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toConfig(row: Selectable<Tables['cluster_config']>): StoredConfig {
  return {
    ...toSummary(row),
    keyId: row.key_id,
    sealed: row.sealed,
  }
}
