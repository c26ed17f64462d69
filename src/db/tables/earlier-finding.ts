/** The fingerprint that a finding had by older rules of identity, so that exceptions that name it still match. */
export interface EarlierFindingTable {
  cluster_id: number
  /** Keyed, as in the records. */
  earlier: Uint8Array
  fingerprint: Uint8Array
}
