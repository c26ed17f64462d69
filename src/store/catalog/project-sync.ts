import { sql } from 'kysely'
import type { ProjectSync } from '../../contract/project.ts'
import { jsonRows, texts } from '../../db/dialect.ts'
import { findMeta, setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'

export type ProjectFields = ProjectSync['projects'][number]

export async function insertProjects(trx: Db, projects: (ProjectFields & { slug: string })[], now: number) {
  await sql`
    insert into project (slug, name, description, category, cncf_status, homepage, docs_url, repo_url,
      helm_chart_repo, logo_url, origin, updated_at, has_synced_address)
    select value->>'slug', value->>'name', coalesce(value->>'description', ''), coalesce(value->>'category', ''),
      coalesce(value->>'cncf_status', 'open-source'), coalesce(value->>'homepage', ''),
      coalesce(value->>'docs_url', ''), coalesce(value->>'repo_url', ''), value->>'helm_chart_repo',
      coalesce(value->>'logo_url', ''), 'sync', ${now}, 1
    from ${jsonRows(JSON.stringify(projects), 'given')}`.execute(trx)
}

/** Changes only the given fields; null clears an address. */
export async function updateProjects(trx: Db, projects: (ProjectFields & { id: number })[], now: number) {
  await sql`
    update project set name = given->>'name', description = coalesce(given->>'description', description),
      category = coalesce(given->>'category', category), cncf_status = coalesce(given->>'cncf_status', cncf_status),
      homepage = coalesce(given->>'homepage', homepage), repo_url = coalesce(given->>'repo_url', repo_url),
      docs_url = case when given->'docs_url' is null then docs_url else coalesce(given->>'docs_url', '') end,
      logo_url = case when given->'logo_url' is null then logo_url else coalesce(given->>'logo_url', '') end,
      helm_chart_repo = case when given->'helm_chart_repo' is null
        then helm_chart_repo else given->>'helm_chart_repo' end,
      updated_at = ${now},
      has_synced_address = case when has_synced_address = 1
        or coalesce(given->>'repo_url', repo_url) <> repo_url
        or (given->'helm_chart_repo' is not null and given->>'helm_chart_repo' is distinct from helm_chart_repo)
        then 1 else 0 end
    from (select value as given, cast(value->>'id' as bigint) as given_id
      from ${jsonRows(JSON.stringify(projects), 'listed')}) as listed
    where project.id = given_id`.execute(trx)
}

/** Removes projects, with their releases and subscriptions. Bundled ones stay away. Returns the number of projects. */
export async function deleteProjectsExcept(trx: Db, slugs: string[]) {
  const deleted = await trx
    .deleteFrom('project')
    .where(sql<boolean>`slug not in ${texts(slugs)}`)
    .returning(['slug', 'origin'])
    .execute()
  const bundled = deleted.filter(({ origin }) => origin === 'bundled')
  if (bundled.length > 0) {
    const removed = [...(await findRemovedProjects(trx)), ...bundled.map(({ slug }) => slug)]
    await setMeta(trx, 'removed_projects', JSON.stringify(removed))
  }
  return deleted.length
}

/** Slugs of removed bundled projects, which imports of a bundled catalog skip. */
export async function findRemovedProjects(db: Db): Promise<string[]> {
  return JSON.parse((await findMeta(db, 'removed_projects')) ?? '[]')
}

/** The store then imports its bundled catalog again, with these projects. */
export async function forgetRemovedProjects(db: Db) {
  await db.deleteFrom('meta').where('key', 'in', ['removed_projects', 'catalog_date', 'catalog_edition']).execute()
}
