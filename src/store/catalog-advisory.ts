import { type Selectable, sql } from 'kysely'
import { bundledCatalogTime } from '../catalog/date.ts'
import type { Db } from '../db/open.ts'
import type { CatalogAdvisoryTable } from '../db/tables/catalog-advisory.ts'
import {
  type AdvisorySource,
  type CatalogAdvisory,
  mergeAdvisories,
  type SourcedAdvisory,
  type VersionRange,
} from '../security/catalog-advisory.ts'

/** In place of the advisories that the source reported about the project before. */
export async function saveAdvisoriesOf(
  trx: Db,
  projectId: number,
  source: AdvisorySource,
  advisories: CatalogAdvisory[],
): Promise<void> {
  for (const table of ['affected_range', 'catalog_advisory'] as const) {
    await trx.deleteFrom(table).where('project_id', '=', projectId).where('source', '=', source).execute()
  }
  const listed = JSON.stringify(advisories)
  await sql`
    insert into catalog_advisory (project_id, source, id, aliases, severity, score, published_at, is_record_date,
      modified_at, withdrawn_at, summary, databases)
    select ${projectId}, ${source}, value->>'id', value->'aliases', value->>'severity', value->>'score',
      value->>'published_at', value->>'is_record_date', value->>'modified_at', value->>'withdrawn_at',
      value->>'summary', value->'databases'
    from json_each(${listed})`.execute(trx)
  await sql`
    with advisory as materialized (select value->>'id' as id, value->'affected' as affected from json_each(${listed}))
    insert into affected_range (project_id, source, advisory_id, position, introduced, fixed, last_affected)
    select ${projectId}, ${source}, advisory.id, key, value->>'introduced', value->>'fixed', value->>'last_affected'
    from advisory join json_each(advisory.affected)`.execute(trx)
}

/** Every report of every source, by project, in the order of ids. */
export async function listSourcedAdvisories(db: Db, projectIds?: number[]): Promise<Map<number, SourcedAdvisory[]>> {
  const chosen = projectIds
    ? sql`where project_id in (select value from json_each(${JSON.stringify(projectIds)}))`
    : sql``
  const { rows } = await sql<Selectable<CatalogAdvisoryTable>>`
    select * from catalog_advisory ${chosen} order by project_id, source, id`.execute(db)
  const { rows: ranges } = await sql<
    VersionRange & { project_id: number; source: AdvisorySource; advisory_id: string }
  >`
    select project_id, source, advisory_id, introduced, fixed, last_affected from affected_range ${chosen}
    order by project_id, source, advisory_id, position`.execute(db)
  const keyOf = (projectId: number, source: string, id: string) => `${projectId} ${source} ${id}`
  const affected = new Map<string, VersionRange[]>()
  for (const { project_id, source, advisory_id, ...range } of ranges) {
    const key = keyOf(project_id, source, advisory_id)
    const known = affected.get(key)
    if (known) known.push(range)
    else affected.set(key, [range])
  }
  const found = new Map<number, SourcedAdvisory[]>()
  for (const { project_id, ...row } of rows) {
    const advisory = {
      ...row,
      aliases: JSON.parse(row.aliases),
      databases: JSON.parse(row.databases),
      is_record_date: row.is_record_date === 1,
      affected: affected.get(keyOf(project_id, row.source, row.id)) ?? [],
    }
    const known = found.get(project_id)
    if (known) known.push(advisory)
    else found.set(project_id, [advisory])
  }
  return found
}

/** One advisory for each vulnerability that is known of the projects, withdrawn ones among them. */
export async function listCatalogAdvisories(db: Db, projectIds?: number[]): Promise<Map<number, SourcedAdvisory[]>> {
  const sourced = await listSourcedAdvisories(db, projectIds)
  return new Map([...sourced].map(([id, advisories]) => [id, mergeAdvisories(advisories, bundledCatalogTime)]))
}

export interface ProjectRange extends VersionRange {
  project_id: number
  advisory: CatalogAdvisory
}

/** The versions that are affected, one row for each range. The caller leaves out advisories that were withdrawn. */
export async function listAffectedRanges(db: Db, projectIds: number[]): Promise<ProjectRange[]> {
  const advisories = await listCatalogAdvisories(db, projectIds)
  return [...advisories].flatMap(([project_id, own]) =>
    own.flatMap((advisory) => advisory.affected.map((range) => ({ project_id, advisory, ...range }))),
  )
}

/** Projects with an advisory of this id, in canonical spelling, or with one published since then, in unix seconds. */
export async function findProjectsOfAdvisory(db: Db, wanted: { id: string } | { since: number }): Promise<number[]> {
  const isWanted =
    'id' in wanted
      ? sql`id = ${wanted.id} or exists (select 1 from json_each(aliases) where value = ${wanted.id})`
      : sql`published_at >= ${wanted.since}`
  const { rows } = await sql<{ project_id: number }>`
    select distinct project_id from catalog_advisory where ${isWanted}`.execute(db)
  return rows.map(({ project_id }) => project_id)
}
