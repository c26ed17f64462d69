import type { Generated } from 'kysely'
import type { ReleaseType } from '../../contract/project.ts'
import type { Severity } from '../../contract/shape.ts'
import type { releaseFaults } from '../../contract/state-choices.ts'
import type { UnixSeconds } from '../../util/time.ts'

type ReleaseFaultKind = (typeof releaseFaults)[number]

/** The way a release came into the catalog; `user`: the route that adds one, `collected`: a sync. */
export type ReleaseOrigin = 'bundled' | 'user' | 'import' | 'collected'

export interface ReleaseTable {
  id: Generated<number>
  project_id: number
  type: ReleaseType
  /** Empty for what is no chart: part of the identity, so never null. */
  chart_name: string
  version: string
  app_version: string | null
  published_at: UnixSeconds
  created_at: UnixSeconds
  url: string
  release_notes: string
  has_security_fix: number
  security_severity: Severity
  security_summary: string | null
  /** JSON arrays. */
  cve_list: string | null
  cve_links: string | null
  origin: ReleaseOrigin
  /** Why nobody should take it. */
  fault: ReleaseFaultKind | null
}
