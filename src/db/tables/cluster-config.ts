import type { Generated } from 'kysely'

/** A scan profile: what names a cluster's secrets is sealed, the rest finds it. */
export interface ClusterConfigTable {
  id: Generated<number>
  config_id: string
  user_id: number
  cluster_name: string
  created_at: number
  updated_at: number
  key_id: string
  sealed: Uint8Array
}
