import { sql } from 'kysely'
import { projectSources } from '../../contract/source-kind.ts'
import { integers, toDay } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { lastDay } from '../../util/time.ts'

export interface ProjectFacts {
  id: number
  slug: string
  /** The last day on which its releases were read; for both apps and charts, the earlier one. Undefined if not known. */
  knownUntil: string | undefined
  /** An advisory source has answered, or a release has a known security fix. */
  hasSecurity: boolean
}

/** Columns of a query of projects: the days of the last answers about app releases and charts. */
export const answerDays = sql`
  (select ${toDay(sql`max(answered_at)`)} from source where project_id = project.id and (kind in (${sql.join([...projectSources])})
    or (kind = 'oci' and not exists (select 1 from project_chart where project_id = project.id)))) as apps_answered,
  (select ${toDay(sql`max(answered_at)`)} from source
    where project_id = project.id and kind in ('helm', 'oci')) as charts_answered`

/** Facts about these projects, or about all. */
export async function listProjectFacts(db: Db, ids?: number[]): Promise<ProjectFacts[]> {
  const chosen = ids && sql`where project.id in ${integers(ids)}`
  const { rows } = await sql<
    Record<'known_until' | 'charts_known_until' | 'apps_answered' | 'charts_answered', string | null> &
      Record<'id' | 'security', number> & { slug: string }
  >`
    select project.id as id, slug, coalesce(known_until, ${toDay(sql`latest_published_at`)}) as known_until, ${answerDays},
      (select max(known_until) from project_chart where project_id = project.id) as charts_known_until,
      exists (select 1 from source
        where project_id = project.id and kind in ('advisories', 'osv') and answered_at is not null)
      or exists (select 1 from release where project_id = project.id and has_security_fix = 1)
      or advisories_as_of is not null or exists (select 1 from catalog_advisory where project_id = project.id) as security
    from project ${chosen ?? sql``}`.execute(db)
  return rows.map(({ id, slug, security, ...row }) => ({
    id,
    slug,
    knownUntil: [lastDay(row.known_until, row.apps_answered), lastDay(row.charts_known_until, row.charts_answered)]
      .filter((day) => day !== undefined)
      .sort()[0],
    hasSecurity: security === 1,
  }))
}
