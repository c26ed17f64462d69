import type { AdvisorySource } from '../../security/catalog-advisory.ts'

/** Versions of a project that an advisory affects. With neither end, all from `introduced` on. */
export interface AffectedRangeTable {
  project_id: number
  source: AdvisorySource
  advisory_id: string
  position: number
  /** `0`: from the beginning. */
  introduced: string
  /** The first version that is no longer affected. */
  fixed: string | null
  /** The last version that is affected. */
  last_affected: string | null
}
