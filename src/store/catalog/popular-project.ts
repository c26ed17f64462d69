import { sql } from 'kysely'
import type { PopularProject } from '../../contract/project.ts'
import { integers, textRows, withoutCase } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { daySeconds, timestampOrNull } from '../../util/time.ts'

const ranked = sql`subscribers desc, runs desc, releases_30d desc, coalesce(latest_published_at, 0) desc, ${withoutCase(sql`name`)}, id`
const monthSeconds = 30 * daySeconds

/** Sorted by the number of subscribers, then by whether they run, then by the number of releases in the last 30 days. */
export async function listPopularProjects(
  db: Db,
  { limit, now, running }: { limit: number; now: number; running: readonly number[] },
): Promise<PopularProject[]> {
  const { rows } = await sql<Omit<PopularProject, 'last_release_at'> & { last_release_at: number | null }>`
    with counted as (select project_id, count(*) as subscribers from subscription group by project_id),
    popular as (
      select project.*, coalesce(subscribers, 0) as subscribers, id in ${integers(running)} as runs,
        (select count(*) from release
          where project_id = project.id and type in ('app', 'helm', 'pre')
            and published_at between ${now - monthSeconds} and ${now}) as releases_30d
      from project left join counted on counted.project_id = project.id
      order by ${ranked} limit ${sql.lit(limit)})
    select popular.id, name, category, cncf_status, nullif(logo_url, '') as logo_url, repo_url,
      subscribers as subscriber_count,
      (select max(last) from (select (
          select max(published_at) from release
          where project_id = popular.id and type = each.value and published_at <= ${now}) as last
        from ${textRows(['app', 'helm', 'pre'], 'each')}) as latest) as last_release_at,
      releases_30d
    from popular
    order by ${ranked}`.execute(db)
  return rows.map((row) => ({
    ...row,
    last_release_at: timestampOrNull(row.last_release_at),
  }))
}
