/** Keyed fingerprint, severity and check of each finding: see `reports/finding-index.ts`. */
export interface RunFindingTable {
  run_id: number
  records: Uint8Array
}
