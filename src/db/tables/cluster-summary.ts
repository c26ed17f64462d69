import type { UnixSeconds } from '../../util/time.ts'

/**
 * Figures of a cluster. Triggers delete the row when a run of the cluster comes, goes or moves; a row of another catalog
 * revision, or after `valid_until`, is made again.
 */
export interface ClusterSummaryTable {
  cluster_id: number
  /** The latest run. */
  run_id: number
  /** The run that it was compared with; null for a first run, whose counts of changes are null, too. */
  from_run_id: number | null
  score_delta: number | null
  new_findings: number | null
  new_critical: number | null
  new_high: number | null
  regressed_findings: number | null
  regressed_critical: number | null
  regressed_high: number | null
  resolved_findings: number | null
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
