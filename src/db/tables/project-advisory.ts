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
