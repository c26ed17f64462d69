/** The changes between the two runs that a cluster's summary compares. Deleting the summary deletes them. */
export interface ClusterChangeTable {
  cluster_id: number
  /** Copies of records of the newer run: its new findings. */
  new_records: Uint8Array
  /** The same of its regressed findings. */
  regressed_records: Uint8Array
  /** Findings that cannot be compared. */
  incomparable_findings: number
}
