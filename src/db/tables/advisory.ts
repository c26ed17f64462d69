import type { Severity } from '../../contract/shape.ts'

/** Advisories published by a project itself. */
export interface ProjectAdvisoryTable {
  project_id: number
  id: string
  /** JSON arrays. */
  aliases: string
  fixed_in: string
  severity: Severity
  summary: string
  url: string
}

/** A database's answer about an advisory id. */
export interface AdvisoryTable {
  id: string
  /** 0: it knows none. */
  is_found: number
  /** A JSON array. */
  aliases: string
  severity: Severity
  summary: string
  looked_at: number
}
