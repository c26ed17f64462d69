import { sql } from 'kysely'
import { integers, texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'

/** Chart releases that state their Kubernetes version range. */
export function listChartRanges(db: Db, projectIds: readonly number[]) {
  return chartReleases(db, projectIds)
    .select(['app_version', 'published_at', sql<string>`kube_version`.as('kube_version')])
    .where('kube_version', 'is not', null)
    .execute()
}

/** App versions that charts of these projects install, for chart releases with one of these versions, without `v`. */
export function listAppVersions(db: Db, projectIds: readonly number[], versions: readonly string[]) {
  return chartReleases(db, projectIds)
    .select(sql<string>`app_version`.as('app_version'))
    .where('app_version', 'is not', null)
    .where(sql<boolean>`ltrim(version, 'v') in ${texts(versions)}`)
    .execute()
}

function chartReleases(db: Db, projectIds: readonly number[]) {
  return db
    .selectFrom('release')
    .select(['project_id', 'chart_name', 'version'])
    .where('type', '=', 'helm')
    .where(sql<boolean>`project_id in ${integers(projectIds)}`)
    .orderBy('id')
}
