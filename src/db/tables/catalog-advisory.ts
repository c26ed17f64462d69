import type { Severity } from '../../contract/shape.ts'
import type { AdvisorySource } from '../../security/catalog-advisory.ts'

/** An advisory about releases of a project, as one source tells of it. */
export interface CatalogAdvisoryTable {
  project_id: number
  source: AdvisorySource
  /** CVE, else GHSA, else the id of its database. */
  id: string
  /** A JSON array. */
  aliases: string
  /** Null: nobody rated it. */
  severity: Severity | null
  /** CVSS base score. */
  score: number | null
  /** Unix seconds. */
  published_at: number | null
  /** 1: only the day of the database's own record is known, which may be later. */
  is_record_date: number
  modified_at: number | null
  withdrawn_at: number | null
  summary: string
  /** A JSON array of the databases that it rests on. */
  databases: string
}

/** Versions of a project that an advisory affects. With neither end, all from `introduced` on. */
export interface AffectedRangeTable {
  project_id: number
  source: AdvisorySource
  advisory_id: string
  position: number
  /** `0`: from the beginning. */
  introduced: string
  /** The first version that is not affected any more. */
  fixed: string | null
  /** The last version that is affected. */
  last_affected: string | null
}
