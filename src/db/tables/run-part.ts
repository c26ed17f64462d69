import type { Sealed } from '../../util/seal.ts'

export interface RunPartTable {
  run_id: number
  /** `report`: as uploaded; `context`: scope, names and artifacts; `details`: blocks of finding texts. */
  kind: 'report' | 'context' | 'details'
  part: number
  key_id: string
  sealed: Sealed
}
