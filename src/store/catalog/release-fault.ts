import { sql } from 'kysely'
import { texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'

export type JudgedRelease = Awaited<ReturnType<typeof listJudgedReleases>>[number]

/** Releases of these projects and charts, and all marked ones. */
export async function listJudgedReleases(
  db: Db,
  { slugs, charts, projectId }: { slugs: string[]; charts: string[]; projectId?: number | undefined },
) {
  let query = db
    .selectFrom('release')
    .innerJoin('project', 'project.id', 'release.project_id')
    .select(['release.id', 'project_id as projectId', 'slug', 'tag_pattern as tagPattern', 'type'])
    .select(['chart_name as chartName', 'version', 'fault'])
    .where(sql<boolean>`(slug in ${texts(slugs)} or chart_name in ${texts(charts)} or fault is not null)`)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  return query.orderBy('release.id').execute()
}

export async function saveFault(trx: Db, id: number, fault: Tables['release']['fault']) {
  await trx.updateTable('release').set({ fault }).where('id', '=', id).execute()
}
