import type { ClusterConfig } from '../contract/cluster-config.ts'

/** A scan profile as the generators read it. Only a stored one has an id. */
export type Profile = Pick<ClusterConfig, 'name' | 'cluster_name' | 'provider' | 'settings'> &
  Partial<Pick<ClusterConfig, 'config_id'>>
