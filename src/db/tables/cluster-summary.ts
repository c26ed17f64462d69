import type { UnixSeconds } from '../../util/time.ts'

/**
 * What runs in a cluster, against the catalog. Triggers delete the row, with those of its scanners, when a run of the cluster comes, goes or moves; a row of another catalog
 * revision, or after `valid_until`, is made again.
 */
export interface ClusterSummaryTable {
  cluster_id: number
  /** The latest run with an inventory, which the figures below are of. */
  inventory_run_id: number | null
  catalog_revision: string
  /** When the next support ends, or is about to. */
  valid_until: UnixSeconds
  artifacts: number
  known: number
  minor_behind: number
  major_behind: number
  /** Artifacts that an advisory affects. */
  affected: number
  affected_critical: number
  affected_high: number
  /** Ends of support: past, and within 90 days. */
  ended: number
  ending: number
  /** Artifacts that attackers planted, that have an exploited vulnerability, and whose project has retired. */
  compromised: number
  exploited: number
  retired: number
}
