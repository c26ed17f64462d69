import type { UnixSeconds } from '../../util/time.ts'

/** The first appearance of a finding in a cluster: distinguishes new findings from regressed ones. */
export interface FindingHistoryTable {
  cluster_id: number
  /** Keyed, as in the records. */
  fingerprint: Uint8Array
  first_at: UnixSeconds
  first_run_id: number
}
