import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely'
import type { CncfStatus, Project, ProjectDetail } from '../../contract/project.ts'
import {
  containsPhrase,
  integers,
  jsonGroup,
  jsonGroupObject,
  like,
  texts,
  toDay,
  withoutCase,
} from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { countRows, selectPage } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import type { KnownProject } from '../../freshness/catalog-view.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp, lastDay, timestampOrNull } from '../../util/time.ts'
import { answerDays } from './project-facts.ts'

/**
 * Best match first: the name itself, then names that start with, have a word of, or contain the search term; then the rest.
 */
export function listProjects(
  db: Db,
  filter: PageChoice & { search?: string | undefined; cncfStatus?: CncfStatus | undefined },
): Promise<Page<Project>> {
  const { search, cncfStatus } = filter
  let query = db.selectFrom('project')
  if (cncfStatus !== undefined) query = query.where('cncf_status', '=', cncfStatus)
  if (search !== undefined) query = query.where((eb) => matches(eb, search))
  const ordered = query
    .selectAll()
    .$if(search !== undefined, (ranked) => ranked.orderBy(rank(search!)))
    .orderBy(withoutCase(sql`name`))
    .orderBy('id')
  return selectPage(ordered, filter, toProject)
}

export async function getProject(db: Db, id: number): Promise<Omit<ProjectDetail, 'releases'>> {
  const row = await db.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('project', id)
  const { latest_version: _, latest_published_at: __, updated_at: ___, ...detail } = toProject(row)
  return detail
}

/** Throws `not_found`. */
export async function getProjectVersion(db: Db, id: number) {
  const row = await db
    .selectFrom('project')
    .select(['id', 'name', 'latest_version'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('project', id)
  return row
}

/** Omits unknown ids. */
export async function findProjectNames(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'name', 'slug'])
    .where(sql<boolean>`id in ${integers(ids)}`)
    .execute()
  return new Map(rows.map((project) => [project.id, project]))
}

/** Ids by slug; omits unknown slugs. */
export async function findProjectIds(db: Db, slugs: readonly string[]) {
  const rows = await db.selectFrom('project').select(['id', 'slug']).where('slug', 'in', slugs).execute()
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}

export interface ProjectName {
  id: number
  name: string
  slug: string
}

/** Oldest first. */
export function listProjectNames(db: Db): Promise<ProjectName[]> {
  return db.selectFrom('project').select(['id', 'name', 'slug']).orderBy('id').execute()
}

export function listProjectSlugs(db: Db) {
  return db.selectFrom('project').select(['id', 'slug']).execute()
}

export const countProjects = (db: Db) => countRows(db.selectFrom('project'))

/** Projects that list one of the repositories or charts, or have one of the names. */
export function findKnownProjects(db: Db, keys: { repositories: string[]; names: string[] }): Promise<KnownProject[]> {
  const repositories = texts(keys.repositories)
  const names = texts(keys.names)
  return listKnownProjects(
    db,
    sql`(select project_id from project_image where repository in ${repositories}
      union select project_id from project_image where name in ${names}
      union select project_id from project_chart where name in ${names}
      union select id from project where slug in ${names})`,
  )
}

/** Projects by id; unknown ids are skipped. */
export function findKnownProjectsById(db: Db, ids: number[]): Promise<KnownProject[]> {
  return listKnownProjects(db, integers(ids))
}

async function listKnownProjects(db: Db, ids: RawBuilder<unknown>): Promise<KnownProject[]> {
  const { rows } = await sql<KnownProjectRow>`
    select project.*,
      (select ${jsonGroup(sql`repository`, sql`repository`)} from project_image where project_id = project.id) as images,
      (select ${jsonGroup(sql`name`, sql`name`)} from project_chart where project_id = project.id) as charts,
      (select ${jsonGroupObject(sql`name`, sql`complete_since`)} from project_chart
        where project_id = project.id and complete_since is not null) as charts_complete_since,
      (select ${jsonGroupObject(sql`name`, sql`known_until`)} from project_chart
        where project_id = project.id) as charts_known_until,
      ${answerDays},
      (select ${toDay(sql`max(answered_at)`)} from source
        where project_id = project.id and kind in ('advisories', 'osv')) as security_as_of,
      (exists (select 1 from release where project_id = project.id and has_security_fix = 1)
        or exists (select 1 from project_advisory where project_id = project.id)
        or exists (select 1 from catalog_advisory where project_id = project.id)) as has_security_facts,
      exists (select 1 from catalog_advisory where project_id = project.id) as has_advisories,
      (select ${toDay(sql`max(answered_at)`)} from source
        where project_id = project.id and kind = 'osv') as osv_as_of
    from project where id in ${ids} order by id`.execute(db)
  return rows.map(toKnownProject)
}

type KnownProjectRow = Selectable<Tables['project']> &
  Record<'images' | 'charts' | 'charts_complete_since' | 'charts_known_until', string> &
  Record<'apps_answered' | 'charts_answered' | 'security_as_of' | 'osv_as_of', string | null> &
  Record<'has_security_facts' | 'has_advisories', number>

function toKnownProject(row: KnownProjectRow): KnownProject {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    repoUrl: row.repo_url,
    helmChartRepo: row.helm_chart_repo,
    imageRepositories: JSON.parse(row.images),
    chartNames: JSON.parse(row.charts),
    tagPattern: row.tag_pattern,
    completeSince: row.complete_since ?? undefined,
    chartsCompleteSince: JSON.parse(row.charts_complete_since),
    knownUntil: lastDay(row.known_until, row.apps_answered),
    chartsKnownUntil: Object.fromEntries(
      Object.entries<string | null>(JSON.parse(row.charts_known_until)).map(([chart, day]) => [
        chart,
        lastDay(day, row.charts_answered),
      ]),
    ),
    hasSecurityFacts: row.has_security_facts === 1 || (row.security_as_of ?? row.advisories_as_of) !== null,
    securityAsOf: row.security_as_of ?? row.advisories_as_of ?? undefined,
    hasAdvisories: row.has_advisories === 1 || (row.osv_as_of ?? row.advisories_as_of) !== null,
    advisoriesAsOf: row.osv_as_of ?? row.advisories_as_of ?? undefined,
    // OSV lists all advisories it knows, but that may be no more than the bundled ones.
    ...(row.advisories_since !== null && { advisoriesSince: row.advisories_since || null }),
  }
}

/** `since` is a day, `YYYY-MM-DD`; null: app releases may be missing. */
export async function saveCompleteness(
  trx: Db,
  id: number,
  { since, basis }: { since: string | null; basis: string | null },
) {
  await trx.updateTable('project').set({ complete_since: since, history_basis: basis }).where('id', '=', id).execute()
}

/** Looks up three letters and more by their trigrams; shorter terms read every project. */
function matches(eb: ExpressionBuilder<Tables, 'project'>, search: string) {
  if ([...search].length >= 3) {
    return containsPhrase<boolean>(search)
  }
  const pattern = `%${escapeLike(search)}%`
  return eb.or(
    (['name', 'slug', 'description', 'category', 'repo_url'] as const).map((column) =>
      like<boolean>(eb.ref(column), pattern),
    ),
  )
}

function rank(search: string) {
  const text = escapeLike(search)
  return sql`case
    when ${like(sql`name`, text)} or ${like(sql`slug`, text)} then 0
    when ${like(sql`name`, `${text}%`)} or ${like(sql`slug`, `${text}%`)} then 1
    when ${like(sql`name`, `% ${text}%`)} or ${like(sql`slug`, `%-${text}%`)} then 2
    when ${like(sql`name`, `%${text}%`)} then 3
    else 4 end`
}

function escapeLike(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}

function toProject(row: Selectable<Tables['project']>): Project {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    category: row.category,
    cncf_status: row.cncf_status,
    homepage: row.homepage,
    docs_url: row.docs_url || null,
    repo_url: row.repo_url,
    helm_chart_repo: row.helm_chart_repo,
    logo_url: row.logo_url || null,
    updated_at: formatTimestamp(row.updated_at),
    latest_version: row.latest_version,
    latest_published_at: timestampOrNull(row.latest_published_at),
  }
}
