import type { Generated } from 'kysely'

/** A cluster of an owner in one environment: the line of runs that are compared with each other. */
export interface ClusterTable {
  id: Generated<number>
  owner_id: number
  name: string
  environment: string
  /** 1: fingerprints and content hashes of its runs are hashed with the store's key. */
  is_keyed: Generated<number>
  /** `clus_…`; a trigger sets it. Unlike `id` it is never used again. */
  public_id: Generated<string>
  /** JSON list of texts. */
  labels: Generated<string>
  /** Seconds between two scans; null: none are expected. */
  expected_every: number | null
}
