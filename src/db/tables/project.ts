import type { Generated } from 'kysely'
import type { CncfStatus } from '../../contract/project.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** The way a project came into the catalog; `user`: `relt catalog add`, `sync`: the route for lists of projects. */
export type ProjectOrigin = 'bundled' | 'user' | 'import' | 'sync'

export interface ProjectTable {
  id: Generated<number>
  slug: string
  name: string
  description: string
  category: string
  cncf_status: CncfStatus
  homepage: string
  docs_url: string
  repo_url: string
  helm_chart_repo: string | null
  logo_url: string
  tag_pattern: string | null
  /** Its product on endoflife.date, if that differs from its slug. */
  eol_product: string | null
  origin: ProjectOrigin
  /** Hosts that get the secret of its sources, as JSON; null when the keychain has none. */
  secret_hosts: string | null
  /** 1 when its addresses came over the interface, not from the operator. */
  has_synced_address: Generated<number>
  updated_at: UnixSeconds
  /** The newest stable release by version, kept beside the project for lists. */
  latest_version: string | null
  latest_published_at: UnixSeconds | null
  /** Every app release since this day is known, `YYYY-MM-DD`; null: some may be missing. */
  complete_since: string | null
  /** The source of that judgement. */
  history_basis: string | null
  /** Day of the bundled facts about its advisories, `YYYY-MM-DD`; null: there are none. */
  advisories_as_of: string | null
  /** All advisories since this day are known, `YYYY-MM-DD`; empty: only some are; null: no source says. */
  advisories_since: string | null
}
