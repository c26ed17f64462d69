import { sql } from 'kysely'
import { toDay } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'

/** Facts of the catalog about a project. Days are `YYYY-MM-DD`. */
export interface CoverageRow {
  id: number
  slug: string
  name: string
  app_releases: number
  chart_releases: number
  first_release: string | null
  newest_release: string | null
  /** Every app release since this day is known; null: some may be missing. */
  complete_since: string | null
  /** The source of that judgement. */
  history_basis: string | null
  /** Day of the last answer about releases. */
  releases_as_of: string | null
  /** Day of the facts about advisories; null: there are none. */
  advisories_as_of: string | null
}

/** Every project by slug, with the depth and age of its facts. */
export async function listCoverageRows(db: Db): Promise<CoverageRow[]> {
  const { rows } = await sql<CoverageRow>`
    with releases as (
      select project_id, count(*) filter (where type = 'app') as apps, count(*) filter (where type = 'helm') as charts,
        ${toDay(sql`min(published_at) filter (where type = 'app')`)} as first,
        ${toDay(sql`max(published_at) filter (where type = 'app')`)} as newest
      from release group by project_id),
    answers as (
      select project_id, ${toDay(sql`max(answered_at) filter (where kind in ('github', 'oci'))`)} as apps,
        ${toDay(sql`max(answered_at) filter (where kind = 'osv')`)} as advisories
      from source group by project_id)
    select id, slug, name, coalesce(releases.apps, 0) as app_releases, coalesce(releases.charts, 0) as chart_releases,
      releases.first as first_release, releases.newest as newest_release, complete_since, history_basis,
      answers.apps as releases_as_of, coalesce(answers.advisories, advisories_as_of) as advisories_as_of
    from project
      left join releases on releases.project_id = project.id
      left join answers on answers.project_id = project.id
    order by slug`.execute(db)
  return rows
}
