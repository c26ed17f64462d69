import { sql } from 'kysely'
import {
  type BundledCatalog,
  type BundledProject,
  type BundledReleases,
  releasePage,
  releaseUrl,
} from '../../catalog/bundled.ts'
import { bundledCatalogTime } from '../../catalog/date.ts'
import { highest } from '../../contract/severity-rank.ts'
import { integers, jsonRows, unixTime } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { newestStable } from '../../freshness/newest-release.ts'
import { advisoryLink } from '../../security/advisory-ids.ts'

/**
 * Imports a bundled catalog. Entries of other origins do not change. Entries of an older bundle are updated, and kept if the
 * new one lacks them, because runs and subscriptions may refer to them.
 */
export async function saveBundledCatalog(
  trx: Db,
  catalog: BundledCatalog,
  now: number,
  { isUpgrade = false }: { isUpgrade?: boolean } = {},
) {
  await insertProjects(trx, catalog, now)
  const mine = await trx.selectFrom('project').select(['id', 'slug']).where('origin', '=', 'bundled').execute()
  const toId = new Map(mine.map(({ slug, id }) => [slug, id]))
  const known = catalog.projects.flatMap((project) => {
    const id = toId.get(project.slug)
    return id === undefined ? [] : { ...project, id }
  })
  await insertNames(trx, known, catalog)
  // In an upgraded store, the additional releases count as known from now on.
  await insertReleases(trx, known, { catalog, createdAt: isUpgrade ? now : bundledCatalogTime })
  await insertAdvisories(trx, known, catalog)
  await markFixes(trx, known, catalog)
  await updateLatest(trx, await listMixedProjects(trx))
}

/** Bundled projects that also have releases of other origins: the newest of all counts. */
export async function listMixedProjects(trx: Db) {
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

/** Updates the newest stable release stored in each project after its releases changed. */
export async function updateLatest(trx: Db, projectIds: number[]) {
  for (const id of projectIds) {
    const releases = await trx
      .selectFrom('release')
      .select(['version', 'type', 'published_at as publishedAt'])
      .where('project_id', '=', id)
      .where('type', '=', 'app')
      .where('fault', 'is', null)
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

/** Passes all rows as one JSON parameter: thousands of rows take a few milliseconds. */
function each(rows: unknown[]) {
  return jsonRows(JSON.stringify(rows), 'given')
}

async function insertProjects(trx: Db, { projects, history, advisories, derived }: BundledCatalog, now: number) {
  const rows = projects.map((project) => {
    const { slug, name, description, category, cncf_status, homepage, docs_url, repo_url } = project
    const [newest = null, newestAt = null] = derived[slug]?.latest ?? []
    const known = history[slug]
    const facts = advisories[slug]
    return [
      slug,
      name,
      description,
      category,
      cncf_status,
      homepage,
      docs_url ?? '',
      repo_url,
      project.helm_chart_repo,
      project.tag_pattern,
      newest,
      newestAt,
      known?.complete_since,
      known?.basis,
      // Empty: only some advisories are known; null: no source states it.
      facts?.as_of ?? null,
      facts?.since === undefined ? null : (facts.since ?? ''),
      known?.known_until,
    ]
  })
  await sql`
    insert into project (slug, name, description, category, cncf_status, homepage, docs_url, repo_url,
      helm_chart_repo, tag_pattern, latest_version, latest_published_at, complete_since, history_basis,
      advisories_as_of, advisories_since, known_until, logo_url, origin, updated_at)
    select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7,
      value->>8, value->>9, value->>10, ${unixTime(sql`value->>11`)}, value->>12, value->>13,
      value->>14, value->>15, value->>16, '', 'bundled', ${now}
    from ${each(rows)} where true
    on conflict (slug) do update set name = excluded.name, description = excluded.description,
      category = excluded.category, cncf_status = excluded.cncf_status, homepage = excluded.homepage,
      docs_url = excluded.docs_url, repo_url = excluded.repo_url, helm_chart_repo = excluded.helm_chart_repo,
      tag_pattern = excluded.tag_pattern, latest_version = excluded.latest_version,
      latest_published_at = excluded.latest_published_at, complete_since = excluded.complete_since,
      history_basis = excluded.history_basis, advisories_as_of = excluded.advisories_as_of,
      advisories_since = excluded.advisories_since, known_until =
        case when project.known_until > excluded.known_until then project.known_until else excluded.known_until end,
      updated_at = excluded.updated_at, has_synced_address = 0
    where project.origin = 'bundled'`.execute(trx)
}

async function insertNames(trx: Db, projects: KnownProject[], { history }: BundledCatalog) {
  const ids = integers(projects.map((project) => project.id))
  await sql`delete from project_image where project_id in ${ids}`.execute(trx)
  await sql`delete from project_chart where project_id in ${ids}`.execute(trx)
  const images = projects.flatMap((project) =>
    project.image_repositories.map((repository) => [repository, repository.split('/').at(-1), project.id]),
  )
  const charts = projects.flatMap(({ id, slug, helm_chart_names: names }) =>
    names.map((name) => {
      const known = history[slug]?.charts?.[name]
      return [name, id, known?.complete_since, known?.known_until]
    }),
  )
  await sql`insert into project_image (repository, name, project_id)
    select value->>0, value->>1, cast(value->>2 as bigint) from ${each(images)} where true on conflict do nothing`.execute(
    trx,
  )
  await sql`
    insert into project_chart (name, project_id, complete_since, known_until)
    select value->>0, cast(value->>1 as bigint), value->>2, value->>3
    from ${each(charts)} where true on conflict do nothing`.execute(trx)
}

/**
 * Does not insert a pre-release that became a release, nor write unchanged rows. In a new store, releases are created on the
 * day of the catalog rather than of the import, so that the store can be prebuilt as a file.
 */
async function insertReleases(
  trx: Db,
  projects: KnownProject[],
  { catalog: { releases }, createdAt }: { catalog: BundledCatalog; createdAt: number },
) {
  const groups = projects.flatMap((project) => groupReleases(project, releases[project.slug] ?? {}))
  await sql`
    with series as materialized (
      select cast(value->>0 as bigint) as project_id, value->>1 as type, value->>2 as chart_name, value->>3 as address,
        value->4 as releases
      from ${each(groups)})
    insert into release (project_id, type, chart_name, version, app_version, kube_version, published_at, url, created_at,
      release_notes, has_security_fix, security_severity, origin)
    select series.project_id, series.type, series.chart_name, value->>0, value->>2, value->>4, ${unixTime(sql`value->>1`)},
      coalesce(value->>3, replace(address, '{version}', value->>0)), ${createdAt}, '', 0, 'none', 'bundled'
    from series cross join ${jsonRows(sql`series.releases`, 'listed')}
    where not (series.type = 'pre' and exists (
      select 1 from release where project_id = series.project_id and type = 'app' and chart_name = ''
        and version = value->>0 and origin != 'bundled'))
    on conflict (project_id, type, chart_name, version) do update set app_version = excluded.app_version,
      published_at = excluded.published_at, url = excluded.url,
      kube_version = coalesce(excluded.kube_version, release.kube_version)
    where release.origin = 'bundled' and (release.published_at != excluded.published_at
      or release.url != excluded.url or release.app_version is distinct from excluded.app_version
      or excluded.kube_version is not null and release.kube_version is distinct from excluded.kube_version)`.execute(
    trx,
  )
}

type Series = [projectId: number, type: string, chart: string, address: string, rows: ReleaseRow[]]
type ReleaseRow = [
  version: string,
  published: string,
  appVersion?: string | null,
  url?: string | null | undefined,
  kubeVersion?: string | undefined,
]

function groupReleases({ id, repo_url }: KnownProject, { url, app, helm = {}, pre = [] }: BundledReleases): Series[] {
  const appAddress = url?.app ?? releasePage(repo_url)
  const toAddress = (chart: string | null) =>
    chart === null ? appAddress : (url?.helm?.[chart] ?? `${repo_url}/releases`)
  const ofPre = Map.groupBy(pre, ([, , chart]) => chart)
  return [
    ...[...ofPre].map(([chart, rows]) => {
      const plain = rows.map(([version, day, , appVersion, own]): ReleaseRow => [version, day, appVersion, own])
      return series(id, 'pre', chart ?? '', toAddress(chart), plain)
    }),
    ...(app ? [series(id, 'app', '', appAddress, app.map(toRow))] : []),
    ...Object.entries(helm).map(([chart, rows]) => series(id, 'helm', chart, toAddress(chart), rows)),
  ]
}

const toRow = ([version, day, url]: [string, string, string?]): ReleaseRow =>
  url ? [version, day, null, url] : [version, day]

/** SQLite fills in `{version}`; this fills in the other placeholders of a URL template. */
function series(id: number, type: string, chart: string, address: string, rows: ReleaseRow[]): Series {
  if (!/\{(?:encoded|plain)\}/.test(address)) return [id, type, chart, address, rows]
  const filled = rows.map(([version, day, appVersion = null, url, kubeVersion]): ReleaseRow => {
    return [version, day, appVersion, url ?? releaseUrl(address, version), kubeVersion]
  })
  return [id, type, chart, address, filled]
}

async function insertAdvisories(trx: Db, projects: KnownProject[], { advisories }: BundledCatalog) {
  const rows = projects.flatMap(({ id, slug }) =>
    (advisories[slug]?.advisories ?? []).map((advisory) => [id, ...advisory]),
  )
  const listed = JSON.stringify(rows)
  for (const table of ['catalog_advisory', 'affected_range'] as const) {
    await trx.deleteFrom(table).where('source', '=', 'bundled').execute()
  }
  await sql`
    insert into catalog_advisory (project_id, source, id, aliases, severity, score, published_at, is_record_date,
      databases, summary)
    select cast(value->>0 as bigint), 'bundled', value->>1, cast(value->2 as text), value->>3,
      cast(value->>4 as double precision), ${unixTime(sql`value->>5`)}, cast(value->>6 as bigint),
      cast(value->8 as text), ''
    from ${jsonRows(listed, 'listed')}`.execute(trx)
  await sql`
    with advisory as materialized (
      select cast(value->>0 as bigint) as project_id, value->>1 as id, value->7 as affected from ${jsonRows(listed, 'listed')})
    insert into affected_range (project_id, source, advisory_id, position, introduced, fixed, last_affected)
    select project_id, 'bundled', advisory.id, key, value->>0, value->>1, value->>2
    from advisory cross join ${jsonRows(sql`advisory.affected`, 'affected')}`.execute(trx)
}

/** Releases of other origins are marked from all known advisories instead. */
async function markFixes(trx: Db, projects: KnownProject[], { advisories, derived }: BundledCatalog) {
  const rows = projects.flatMap(({ id, slug }) => {
    const listed = advisories[slug]?.advisories ?? []
    return Object.entries(derived[slug]?.fixes ?? {}).map(([version, places]) => {
      const fixed = places.map((place) => listed[place]!)
      const ids = [...new Set(fixed.flatMap(([own, aliases]) => [own, ...aliases]))].filter((id) =>
        /^(?:CVE|GHSA)-/.test(id),
      )
      const severity = highest(fixed.map(([, , rated]) => rated ?? 'none'))
      return [id, version, severity, ids, ids.map(advisoryLink)]
    })
  })
  await sql`
    update release set has_security_fix = 1, security_severity = fix.severity, cve_list = fix.ids, cve_links = fix.links
    from (select cast(value->>0 as bigint) as project_id, value->>1 as version, value->>2 as severity,
        cast(value->3 as text) as ids, cast(value->4 as text) as links from ${each(rows)}) as fix
    where release.project_id = fix.project_id and release.type in ('app', 'pre') and release.chart_name = ''
      and release.version = fix.version and release.origin = 'bundled'
      and (release.cve_list is distinct from fix.ids or release.security_severity != fix.severity)`.execute(trx)
}
