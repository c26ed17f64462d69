import type { ClusterConfig } from '../contract/cluster-config.ts'

/** A scan profile for the generators. Only a stored one has an id. */
export type Profile = Pick<ClusterConfig, 'name' | 'cluster_name' | 'provider' | 'settings'> &
  Partial<Pick<ClusterConfig, 'config_id'>>
