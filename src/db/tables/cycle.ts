/** A release cycle that was fetched: `eol` and `lts` are days, or `true` or `false`. */
export interface CycleTable {
  project_id: number
  cycle: string
  eol: string
  lts: string
  /** Its last release; null if unknown. */
  latest: string | null
}
