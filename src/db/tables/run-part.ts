import type { Sealed } from '../../util/seal.ts'

export interface RunPartTable {
  run_id: number
  /**
   * `report`: as uploaded; `context`: scope, names and artifacts; `details`: blocks of finding texts; `guidance`:
   * recommendations, weights and risk paths, which runs of earlier releases lack until they are asked for; `advisories`: ids
   * of advisories by image, of scanners that list them.
   */
  kind: 'report' | 'context' | 'details' | 'guidance' | 'advisories'
  part: number
  key_id: string
  sealed: Sealed
}
