import { sql } from 'kysely'
import { bundledCatalogTime } from '../../catalog/date.ts'
import {
  equalsWithoutCase,
  integers,
  jsonArray,
  jsonGroup,
  jsonObject,
  jsonRows,
  jsonTexts,
  jsonValue,
} from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import {
  type AdvisorySource,
  type CatalogAdvisory,
  mergeAdvisories,
  type SourcedAdvisory,
} from '../../security/catalog-advisory.ts'
import type { VersionRange } from '../../security/version-range.ts'
import { parseTimestamp } from '../../util/time.ts'
import { findCatalogEdition } from './edition.ts'

/** Replaces the advisories that the source reported about the project. */
export async function saveAdvisoriesFor(
  trx: Db,
  projectId: number,
  source: AdvisorySource,
  advisories: CatalogAdvisory[],
) {
  for (const table of ['affected_range', 'catalog_advisory'] as const) {
    await trx.deleteFrom(table).where('project_id', '=', projectId).where('source', '=', source).execute()
  }
  const listed = JSON.stringify(advisories.map((one) => ({ ...one, is_record_date: one.is_record_date ? 1 : 0 })))
  await sql`
    insert into catalog_advisory (project_id, source, id, aliases, severity, score, published_at, is_record_date,
      modified_at, withdrawn_at, summary, databases)
    select ${projectId}, ${source}, value->>'id', cast(value->'aliases' as text), value->>'severity',
      cast(value->>'score' as double precision), cast(value->>'published_at' as bigint),
      cast(value->>'is_record_date' as bigint), cast(value->>'modified_at' as bigint),
      cast(value->>'withdrawn_at' as bigint), value->>'summary', cast(value->'databases' as text)
    from ${jsonRows(listed, 'listed')}`.execute(trx)
  await sql`
    with advisory as materialized (select value->>'id' as id, value->'affected' as affected from ${jsonRows(listed, 'listed')})
    insert into affected_range (project_id, source, advisory_id, position, introduced, fixed, last_affected)
    select ${projectId}, ${source}, advisory.id, key, value->>'introduced', value->>'fixed', value->>'last_affected'
    from advisory cross join ${jsonRows(sql`advisory.affected`, 'affected')}`.execute(trx)
}

/** Every advisory of every source, by project, ordered by id. */
export async function listSourcedAdvisories(db: Db, projectIds?: number[]): Promise<Map<number, SourcedAdvisory[]>> {
  const { ids, advisoriesFor } = await readAdvisories(db, projectIds)
  return new Map(ids.map((id) => [id, advisoriesFor(id)]))
}

/** Known advisories of the projects, merged to one per vulnerability, including withdrawn ones. */
export async function listCatalogAdvisories(db: Db, projectIds?: number[]) {
  const sourced = await listSourcedAdvisories(db, projectIds)
  const gatheredAt = await findGatheredAt(db)
  return new Map([...sourced].map(([id, advisories]) => [id, mergeAdvisories(advisories, gatheredAt)]))
}

/** Like `listCatalogAdvisories`, but lazy: of many candidate projects only few are running. */
export async function findCatalogAdvisories(db: Db, projectIds: number[]) {
  const { advisoriesFor } = await readAdvisories(db, projectIds)
  const gatheredAt = await findGatheredAt(db)
  return (projectId: number) => mergeAdvisories(advisoriesFor(projectId), gatheredAt)
}

/** Unix seconds of the day of the store's bundled advisories, which may be those of a pulled bundle. */
async function findGatheredAt(db: Db) {
  const edition = await findCatalogEdition(db)
  return edition ? parseTimestamp(edition.date)! : bundledCatalogTime
}

type RangeRow = [source: string, advisoryId: string, ...ends: [string, string | null, string | null]]

const advisoryMembers = sql`'source', source, 'id', id, 'aliases', ${jsonValue(sql`aliases`)}, 'severity', severity,
  'score', score, 'published_at', published_at, 'is_record_date', is_record_date, 'modified_at', modified_at,
  'withdrawn_at', withdrawn_at, 'summary', summary, 'databases', ${jsonValue(sql`databases`)}`

/** Reads each project's advisories as one text: one row per advisory takes three times as long. */
async function readAdvisories(db: Db, projectIds?: number[]) {
  const chosen = projectIds ? sql`where project_id in ${integers(projectIds)}` : sql``
  const { rows } = await sql<{ project_id: number; advisories: string }>`
    select project_id, ${jsonGroup(jsonObject(advisoryMembers), sql`source, id`)} as advisories
    from catalog_advisory ${chosen} group by project_id order by project_id`.execute(db)
  const { rows: ranges } = await sql<{ project_id: number; ranges: string }>`
    select project_id, ${jsonGroup(
      jsonArray(sql`source, advisory_id, introduced, fixed, last_affected`),
      sql`source, advisory_id, position`,
    )} as ranges
    from affected_range ${chosen} group by project_id`.execute(db)
  const texts = new Map(rows.map(({ project_id, advisories }) => [project_id, advisories]))
  const rangeTexts = new Map(ranges.map(({ project_id, ranges }) => [project_id, ranges]))
  return {
    ids: [...texts.keys()],
    advisoriesFor: (id: number) => join(texts.get(id) ?? '[]', rangeTexts.get(id) ?? '[]'),
  }
}

function join(advisoriesText: string, rangesText: string): SourcedAdvisory[] {
  const affected = new Map<string, VersionRange[]>()
  let ranges: VersionRange[] = []
  let before: RangeRow | undefined
  for (const row of JSON.parse(rangesText) as RangeRow[]) {
    const [source, advisoryId, introduced, fixed, last_affected] = row
    // Rows are ordered by advisory.
    if (source !== before?.[0] || advisoryId !== before[1]) {
      ranges = []
      affected.set(`${source} ${advisoryId}`, ranges)
    }
    ranges.push({ introduced, fixed, last_affected })
    before = row
  }
  const advisories = JSON.parse(advisoriesText) as (Omit<SourcedAdvisory, 'is_record_date'> & {
    is_record_date: 0 | 1
  })[]
  return advisories.map((one) => ({
    ...one,
    is_record_date: one.is_record_date === 1,
    affected: affected.get(`${one.source} ${one.id}`) ?? [],
  }))
}

/** Projects with an advisory of this id, in canonical spelling, or with one published since a time in unix seconds. */
export async function findProjectsOfAdvisory(db: Db, wanted: { id: string } | { since: number }) {
  const isWanted =
    'id' in wanted
      ? sql`${equalsWithoutCase(sql`id`, sql`${wanted.id}`)} or exists (
          select 1 from ${jsonTexts(sql`aliases`, 'alias')} where ${equalsWithoutCase(sql`alias.value`, sql`${wanted.id}`)})`
      : sql`published_at >= ${wanted.since}`
  const { rows } = await sql<{ project_id: number }>`
    select distinct project_id from catalog_advisory where ${isWanted}`.execute(db)
  return rows.map(({ project_id }) => project_id)
}
