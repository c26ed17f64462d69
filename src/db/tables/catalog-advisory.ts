import type { Severity } from '../../contract/shape.ts'
import type { AdvisorySource } from '../../security/catalog-advisory.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** An advisory about releases of a project, as one source describes it. */
export interface CatalogAdvisoryTable {
  project_id: number
  source: AdvisorySource
  /** CVE, else GHSA, else the id of its database. */
  id: string
  /** A JSON array. */
  aliases: string
  /** Null if unrated. */
  severity: Severity | null
  /** CVSS base score. */
  score: number | null
  /** Unix seconds. */
  published_at: UnixSeconds | null
  /** 1: only the day of the database's own record is known, which may be later. */
  is_record_date: number
  modified_at: UnixSeconds | null
  withdrawn_at: UnixSeconds | null
  summary: string
  /** A JSON array of the databases that it rests on. */
  databases: string
}
