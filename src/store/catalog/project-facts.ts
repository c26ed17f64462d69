import { sql } from 'kysely'
import { integers, toDay } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'

export interface ProjectFacts {
  id: number
  /** Day of the last answer about releases; for both apps and charts, the earlier one. Null without an answer. */
  releasesAsOf: string | null
  /** An advisory source has answered, or a release has a known security fix. */
  hasSecurity: boolean
}

/** Facts about these projects, or about all. */
export async function listProjectFacts(db: Db, ids?: number[]): Promise<ProjectFacts[]> {
  const chosen = ids && sql`where project.id in ${integers(ids)}`
  const { rows } = await sql<{ id: number; apps: string | null; charts: string | null; security: number }>`
    select project.id as id,
      (select ${toDay(sql`max(answered_at)`)} from source
        where project_id = project.id and kind in ('github', 'oci')) as apps,
      (select ${toDay(sql`max(answered_at)`)} from source
        where project_id = project.id and kind in ('helm', 'oci')) as charts,
      exists (select 1 from source
        where project_id = project.id and kind in ('advisories', 'osv') and answered_at is not null)
      or exists (select 1 from release where project_id = project.id and has_security_fix = 1)
      or advisories_as_of is not null or exists (select 1 from catalog_advisory where project_id = project.id) as security
    from project ${chosen ?? sql``}`.execute(db)
  return rows.map(({ id, apps, charts, security }) => ({
    id,
    releasesAsOf: [apps, charts].filter((day) => day !== null).sort()[0] ?? null,
    hasSecurity: security === 1,
  }))
}
