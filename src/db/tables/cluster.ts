import type { Generated } from 'kysely'

/** A cluster of an owner in one environment: the line of runs that are compared with each other. */
export interface ClusterTable {
  id: Generated<number>
  owner_id: number
  name: string
  environment: string
  /** 1: fingerprints and content hashes of its runs are hashed with the store's key. */
  is_keyed: Generated<number>
}
