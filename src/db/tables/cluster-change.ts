/** What changed between the two runs of a cluster's summary. It goes with the summary. */
export interface ClusterChangeTable {
  cluster_id: number
  /** Copies of records of the newer run: its new findings. */
  new_records: Uint8Array
  /** The same of its regressed findings. */
  regressed_records: Uint8Array
  /** Findings that cannot be compared. */
  incomparable_findings: number
}
