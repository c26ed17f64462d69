import { type Selectable, sql } from 'kysely'
import type { Release, ReleaseItem, ReleasesByType, ReleaseType } from '../../contract/project.ts'
import { equalsWithoutCase, integers, jsonArray, jsonGroup, jsonTexts, like } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { selectPage } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import type { KnownRelease } from '../../freshness/catalog-view.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { daySeconds, formatTimestamp } from '../../util/time.ts'

/** Newest first. */
export function listReleases(
  db: Db,
  filter: { projectId: number; type: ReleaseType } & PageChoice,
): Promise<Page<ReleaseItem>> {
  const query = db
    .selectFrom('release')
    .selectAll()
    .where('project_id', '=', filter.projectId)
    .where('type', '=', filter.type)
    .orderBy('published_at', 'desc')
    .orderBy('id')
  return selectPage(query, filter, toItem)
}

/** Every release of some projects, newest first, by project id. */
export async function releasesOfProjects(db: Db, projectIds: number[]) {
  const rows = await db
    .selectFrom('release')
    .selectAll()
    .where(sql<boolean>`project_id in ${integers(projectIds)}`)
    .orderBy('published_at', 'desc')
    .orderBy('id')
    .execute()
  const grouped = new Map(projectIds.map((id) => [id, { app: [], helm: [], pre: [] } as ReleasesByType]))
  for (const row of rows) grouped.get(row.project_id)![row.type].push(toRelease(row))
  return grouped
}

/**
 * Publication of a project's newest release, in unix seconds; null without one. Ignores pre-releases and withdrawn releases.
 */
export async function findNewestPublication(db: Db, projectId: number) {
  const { newest } = await db
    .selectFrom('release')
    .select((eb) => eb.fn.max<number | null>('published_at').as('newest'))
    .where('project_id', '=', projectId)
    .where('type', '!=', 'pre')
    .where('fault', 'is', null)
    .executeTakeFirstOrThrow()
  return newest
}

type KnownRow = [
  id: number,
  version: string,
  type: KnownRelease['type'],
  chartName: string,
  publishedAt: number,
  hasSecurityFix: 0 | 1,
  severity: KnownRelease['severity'],
  hasAppVersion: 0 | 1 | null,
]

const knownColumns = sql`id, version, type, chart_name, published_at, has_security_fix, security_severity,
  case when type = 'helm' then case when ltrim(app_version, 'v') = ltrim(version, 'v') then 1
    when app_version is not null then 0 end end`

/**
 * All releases of some projects with the fields for freshness, newest first. Parsed on demand from one text per project: of
 * many candidates only few are running, and one row per release takes twice as long.
 */
export async function findKnownReleases(db: Db, projectIds: number[]) {
  const { rows } = await sql<{ project_id: number; releases: string }>`
    select project_id, ${jsonGroup(jsonArray(knownColumns))} as releases
    from release where project_id in ${integers(projectIds)}
    group by project_id`.execute(db)
  const texts = new Map(rows.map(({ project_id, releases }) => [project_id, releases]))
  const known = new Map<number, KnownRelease[]>()
  return (projectId: number) => {
    const found =
      known.get(projectId) ??
      (JSON.parse(texts.get(projectId) ?? '[]') as KnownRow[])
        .map(toKnownRelease)
        .sort((a, b) => b.publishedAt - a.publishedAt || a.id - b.id)
    known.set(projectId, found)
    texts.delete(projectId)
    return found
  }
}

function toKnownRelease(row: KnownRow): KnownRelease {
  const [id, version, type, chartName, publishedAt, hasSecurityFix, severity, hasAppVersion] = row
  return {
    id,
    version,
    type,
    publishedAt,
    severity,
    chartName: chartName || null,
    hasSecurityFix: hasSecurityFix === 1,
    ...(hasAppVersion !== null && { hasAppVersion: hasAppVersion === 1 }),
  }
}

export interface ReleaseName {
  id: number
  projectId: number
  version: string
}

export async function getReleaseName(db: Db, id: number): Promise<ReleaseName> {
  const row = await named(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('release', id)
  return row
}

/** Releases that fix an advisory, by canonical id. Parsing only lists whose JSON contains it saves most of the time. */
export function findFixes(db: Db, advisoryId: string): Promise<ReleaseName[]> {
  return named(db)
    .where('has_security_fix', '=', 1)
    .where('fault', 'is', null)
    .where(like<boolean>(sql`cve_list`, `%${advisoryId}%`))
    .where(sql<boolean>`exists (select 1 from ${jsonTexts(sql`cve_list`, 'named')}
      where ${equalsWithoutCase(sql`named.value`, sql`${advisoryId}`)})`)
    .orderBy('id')
    .execute()
}

function named(db: Db) {
  return db.selectFrom('release').select(['id', 'project_id as projectId', 'version'])
}

export async function releaseStats(db: Db, now: number) {
  const since = (days: number) =>
    sql<number>`count(*) filter (where published_at between ${now - days * daySeconds} and ${now})`
  return db
    .selectFrom('release')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where has_security_fix = 1)`.as('securityFixes'),
      since(7).as('last7d'),
      since(30).as('last30d'),
      since(90).as('last90d'),
    ])
    .executeTakeFirstOrThrow()
}

function toRelease(row: Selectable<Tables['release']>): Release {
  return {
    ...toItem(row),
    created_at: formatTimestamp(row.created_at),
    cve_list: row.cve_list === null ? null : JSON.parse(row.cve_list),
    security_summary: row.security_summary,
    cve_links: row.cve_links === null ? null : JSON.parse(row.cve_links),
    app_version: row.app_version,
  }
}

function toItem(row: Selectable<Tables['release']>): ReleaseItem {
  return {
    id: row.id,
    product_id: row.project_id,
    version: row.version,
    type: row.type,
    release_notes: row.release_notes,
    url: row.url,
    published_at: formatTimestamp(row.published_at),
    has_security_fix: row.has_security_fix === 1,
    security_severity: row.security_severity,
    chart_name: row.chart_name || null,
  }
}
