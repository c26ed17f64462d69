import { type Selectable, sql } from 'kysely'
import type { PopularProject } from '../../contract/project.ts'
import { textRows, withoutCase } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { daySeconds, formatTimestamp } from '../../util/time.ts'

const monthSeconds = 30 * daySeconds

/** Sorted by the number of subscribers, then by name. */
export async function listPopularProjects(
  db: Db,
  { limit, now }: { limit: number; now: number },
): Promise<PopularProject[]> {
  const { rows } = await sql<
    Selectable<Tables['project']> & { subscribers: number; last_release_at: number | null; releases_30d: number }
  >`
    with counted as (select project_id, count(*) as subscribers from subscription group by project_id),
    popular as (
      select project.*, coalesce(subscribers, 0) as subscribers
      from project left join counted on counted.project_id = project.id
      order by coalesce(subscribers, 0) desc, ${withoutCase(sql`name`)}, id limit ${sql.lit(limit)})
    select popular.*,
      (select max(last) from (select (
          select max(published_at) from release
          where project_id = popular.id and type = each.value and published_at <= ${now}) as last
        from ${textRows(['app', 'helm', 'pre'], 'each')}) as latest) as last_release_at,
      (select count(*) from release
        where project_id = popular.id and type in ('app', 'helm', 'pre')
          and published_at between ${now - monthSeconds} and ${now}) as releases_30d
    from popular
    order by subscribers desc, ${withoutCase(sql`name`)}, id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    category: row.category,
    cncf_status: row.cncf_status,
    logo_url: row.logo_url || null,
    repo_url: row.repo_url,
    subscriber_count: row.subscribers,
    last_release_at: row.last_release_at === null ? null : formatTimestamp(row.last_release_at),
    releases_30d: row.releases_30d,
  }))
}
