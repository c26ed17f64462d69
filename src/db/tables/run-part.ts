import type { Sealed } from '../../util/seal.ts'

export interface RunPartTable {
  run_id: number
  /**
   * `report`: as uploaded; `context`: scope, names and artifacts; `details`: blocks of finding texts; `guidance`:
   * recommendations, weights and risk paths, which runs of earlier releases lack until they are asked for; `advisories`: ids
   * of advisories by image, of scanners that list them; `assessment`: what a revision of the catalog says of the artifacts, and as part 1 how fresh they are on a day;
   * `running`: the same in short for the cluster, by project, see `operations/fleet/running-versions.ts`; `gate`: verdicts of gates.
   */
  kind: 'report' | 'context' | 'details' | 'guidance' | 'advisories' | 'assessment' | 'running' | 'gate'
  part: number
  key_id: string
  sealed: Sealed
}
