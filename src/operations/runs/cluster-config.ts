import { randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import { type PlanLimits, planNames } from '../../config/plans.ts'
import type { ClusterConfig, ClusterConfigInput, ListedClusterConfig } from '../../contract/cluster-config.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import type { Owner } from '../../store/accounts/owner.ts'
import { type ConfigSummary, countConfigs, type StoredConfig } from '../../store/runs/cluster-config.ts'
import { formatTimestamp, parseTimestamp } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

/** Creates a profile from a caller's input; `now` in unix seconds. */
export function newConfig(input: z.output<typeof ClusterConfigInput>, now: number): ClusterConfig {
  const { name, cluster_name, provider, notes, settings } = input
  return {
    config_id: `ccfg_${randomBytes(10).toString('hex')}`,
    name,
    cluster_name: cluster_name ?? (settings.context || name),
    provider,
    notes: notes ?? '',
    settings,
    created_at: formatTimestamp(now),
    updated_at: formatTimestamp(now),
  }
}

/** The whole profile is sealed; columns for lists are stored beside it. */
export function sealConfig(vault: Vault, config: ClusterConfig): StoredConfig {
  const { keyId, sealed } = vault.seal(config.config_id, 'config', 0, Buffer.from(JSON.stringify(config)))
  return {
    configId: config.config_id,
    name: config.name,
    provider: config.provider,
    clusterName: config.cluster_name,
    createdAt: parseTimestamp(config.created_at)!,
    updatedAt: parseTimestamp(config.updated_at)!,
    keyId,
    sealed,
  }
}

export function openConfig(vault: Vault, { configId, keyId, sealed }: StoredConfig): ClusterConfig {
  return JSON.parse(vault.open(configId, { kind: 'config', part: 0, keyId, sealed }).toString('utf8'))
}

/** The profile as shown in lists. */
export function summarizeConfig(config: ConfigSummary): ListedClusterConfig {
  const { configId, name, clusterName, provider, createdAt, updatedAt } = config
  const times = { created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt) }
  return { config_id: configId, name, cluster_name: clusterName, provider, ...times }
}

/** Throws `forbidden` if the owner's plan allows no further profile. */
export async function requireRoomForConfig(db: Db, { id, plan }: Owner, { profiles }: PlanLimits): Promise<void> {
  if ((await countConfigs(db, id)) < profiles) return
  throw new ReltError('forbidden', `The limit of the plan ${planNames[plan]} is ${profiles} profiles.`, {
    hint: 'Delete a profile that is no longer used.',
  })
}

/** Throws `forbidden` if the settings exceed the size that the owner's plan allows. */
export function requireSmallSettings({ settings }: ClusterConfig, { plan }: Owner, { settingsKb }: PlanLimits): void {
  if (Buffer.byteLength(JSON.stringify(settings)) <= settingsKb * 1024) return
  throw new ReltError(
    'forbidden',
    `The limit of the plan ${planNames[plan]} is ${settingsKb} kB of settings a profile.`,
  )
}
