import { type RawBuilder, sql } from 'kysely'
import type { BundledProject } from '../catalog/bundled.ts'
import type { Db } from '../db/open.ts'
import { newestStable } from '../freshness/newest-release.ts'

/**
 * Imports a bundled catalog. Rows from elsewhere are not touched. Rows of an older bundle are updated, and stay when the new
 * one lacks them, because runs and subscriptions may refer to them.
 */
export async function saveBundledCatalog(trx: Db, projects: BundledProject[], now: number): Promise<void> {
  await insertProjects(trx, projects, now)
  const mine = await trx.selectFrom('project').select(['id', 'slug']).where('origin', '=', 'bundled').execute()
  const idOf = new Map(mine.map(({ slug, id }) => [slug, id]))
  const known = projects.flatMap((project) => {
    const id = idOf.get(project.slug)
    return id === undefined ? [] : { ...project, id }
  })
  await insertNames(trx, known)
  await insertReleases(trx, known, now)
  await updateLatest(trx, await findMixedProjects(trx))
}

/** Bundled projects that also have releases from elsewhere: the newest of all counts. */
async function findMixedProjects(trx: Db): Promise<number[]> {
  const rows = await trx
    .selectFrom('release')
    .innerJoin('project', 'project.id', 'release.project_id')
    .select('project_id')
    .distinct()
    .where('release.origin', '!=', 'bundled')
    .where('project.origin', '=', 'bundled')
    .execute()
  return rows.map((row) => row.project_id)
}

/** Keeps the newest stable release beside each of the projects, after their releases have changed. */
export async function updateLatest(trx: Db, projectIds: number[]): Promise<void> {
  for (const id of projectIds) {
    const releases = await trx
      .selectFrom('release')
      .select(['version', 'type', 'published_at as publishedAt'])
      .where('project_id', '=', id)
      .where('type', '=', 'app')
      .execute()
    const newest = newestStable(releases)
    await trx
      .updateTable('project')
      .set({ latest_version: newest?.version ?? null, latest_published_at: newest?.publishedAt ?? null })
      .where('id', '=', id)
      .execute()
  }
}

type KnownProject = BundledProject & { id: number }

/** One statement takes all rows as one JSON text: thousands of rows in a few milliseconds. */
function each(rows: unknown[][]): RawBuilder<unknown> {
  return sql`json_each(${JSON.stringify(rows)})`
}

async function insertProjects(trx: Db, projects: BundledProject[], now: number): Promise<void> {
  const rows = projects.map((project) => {
    const newest = newestStable(project.releases.filter((release) => release.type === 'app'))
    return [
      project.slug,
      project.name,
      project.description,
      project.category,
      project.cncf_status,
      project.homepage,
      project.docs_url ?? '',
      project.repo_url,
      project.helm_chart_repo,
      project.tag_pattern,
      newest?.version ?? null,
      newest?.publishedAt ?? null,
    ]
  })
  await sql`
    insert into project (slug, name, description, category, cncf_status, homepage, docs_url, repo_url,
      helm_chart_repo, tag_pattern, latest_version, latest_published_at, logo_url, origin, updated_at)
    select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7,
      value->>8, value->>9, value->>10, value->>11, '', 'bundled', ${now}
    from ${each(rows)} where true
    on conflict (slug) do update set name = excluded.name, description = excluded.description,
      category = excluded.category, cncf_status = excluded.cncf_status, homepage = excluded.homepage,
      docs_url = excluded.docs_url, repo_url = excluded.repo_url, helm_chart_repo = excluded.helm_chart_repo,
      tag_pattern = excluded.tag_pattern, latest_version = excluded.latest_version,
      latest_published_at = excluded.latest_published_at, updated_at = excluded.updated_at, has_synced_address = 0
    where project.origin = 'bundled'`.execute(trx)
}

async function insertNames(trx: Db, projects: KnownProject[]): Promise<void> {
  const ids = JSON.stringify(projects.map((project) => project.id))
  await sql`delete from project_image where project_id in (select value from json_each(${ids}))`.execute(trx)
  await sql`delete from project_chart where project_id in (select value from json_each(${ids}))`.execute(trx)
  const images = projects.flatMap((project) =>
    project.image_repositories.map((repository) => [repository, repository.split('/').at(-1), project.id]),
  )
  const charts = projects.flatMap((project) => project.helm_chart_names.map((name) => [name, project.id]))
  await sql`insert or ignore into project_image select value->>0, value->>1, value->>2 from ${each(images)}`.execute(
    trx,
  )
  await sql`insert or ignore into project_chart select value->>0, value->>1 from ${each(charts)}`.execute(trx)
}

/** A pre-release that became a release does not return. */
async function insertReleases(trx: Db, projects: KnownProject[], now: number): Promise<void> {
  const rows = projects.flatMap((project) =>
    project.releases.map((release) => [
      project.id,
      release.type,
      release.chartName ?? '',
      release.version,
      release.appVersion,
      release.publishedAt,
      release.url,
    ]),
  )
  await sql`
    insert into release (project_id, type, chart_name, version, app_version, published_at, url, created_at,
      release_notes, has_security_fix, security_severity, origin)
    select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, ${now},
      '', 0, 'none', 'bundled'
    from ${each(rows)}
    where not (value->>1 = 'pre' and exists (
      select 1 from release where project_id = value->>0 and type = 'app' and chart_name = ''
        and version = value->>3 and origin != 'bundled'))
    on conflict (project_id, type, chart_name, version) do update set app_version = excluded.app_version,
      published_at = excluded.published_at, url = excluded.url
    where release.origin = 'bundled'`.execute(trx)
}
