import { randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import type { ClusterConfig, ClusterConfigInput } from '../contract/cluster-config.ts'
import type { StoredConfig } from '../store/cluster-config.ts'
import { formatTimestamp, parseTimestamp } from '../util/time.ts'
import type { Vault } from './vault.ts'

/** A profile from what a caller gave; `now` in unix seconds. */
export function newConfig(input: z.output<typeof ClusterConfigInput>, now: number): ClusterConfig {
  const { name, cluster_name, provider, notes, settings } = input
  return {
    config_id: `ccfg_${randomBytes(10).toString('hex')}`,
    name,
    cluster_name: cluster_name ?? name,
    provider,
    notes: notes ?? '',
    settings,
    created_at: formatTimestamp(now),
    updated_at: formatTimestamp(now),
  }
}

/** The whole profile is sealed; its cluster's name stands beside it, to find it by. */
export function sealConfig(vault: Vault, config: ClusterConfig): StoredConfig {
  const { keyId, sealed } = vault.seal(config.config_id, 'config', 0, Buffer.from(JSON.stringify(config)))
  return {
    configId: config.config_id,
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
