import type { Sealed } from '../../util/seal.ts'

export interface RunPartTable {
  run_id: number
  /**
   * `report`: as uploaded; `context`: scope, names and artifacts; `details`: blocks of finding texts; `advisories`: ids of
   * advisories by image, of scanners that list them.
   */
  kind: 'report' | 'context' | 'details' | 'advisories'
  part: number
  key_id: string
  sealed: Sealed
}
