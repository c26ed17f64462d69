import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

export interface ProjectFacts {
  /** Day on which sources last told of its releases, of the older kind where it has apps and charts; null: never. */
  releasesAsOf: string | null
  /** An advisory source has answered, or a release has a known security fix. */
  hasSecurity: boolean
}

/** Of these projects, or of all. */
export async function listProjectFacts(db: Db, ids?: number[]): Promise<ProjectFacts[]> {
  const chosen = ids && sql`where project.id in (select value from json_each(${JSON.stringify(ids)}))`
  const { rows } = await sql<{ apps: string | null; charts: string | null; security: number }>`
    select
      (select date(max(answered_at), 'unixepoch') from source
        where project_id = project.id and kind in ('github', 'oci')) as apps,
      (select date(max(answered_at), 'unixepoch') from source
        where project_id = project.id and kind in ('helm', 'oci')) as charts,
      exists (select 1 from source
        where project_id = project.id and kind = 'advisories' and answered_at is not null)
      or exists (select 1 from release where project_id = project.id and has_security_fix = 1) as security
    from project ${chosen ?? sql``}`.execute(db)
  return rows.map(({ apps, charts, security }) => ({
    releasesAsOf: [apps, charts].filter((day) => day !== null).sort()[0] ?? null,
    hasSecurity: security === 1,
  }))
}
