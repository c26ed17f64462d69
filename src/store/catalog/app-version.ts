import { sql } from 'kysely'
import { integers, texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'

/** App versions that charts of these projects install, for chart releases with one of these versions, without `v`. */
export function listAppVersions(db: Db, projectIds: readonly number[], versions: readonly string[]) {
  return db
    .selectFrom('release')
    .select(['project_id', 'chart_name', 'version'])
    .select(sql<string>`app_version`.as('app_version'))
    .where('app_version', 'is not', null)
    .where('type', '=', 'helm')
    .where(sql<boolean>`project_id in ${integers([...projectIds])}`)
    .where(sql<boolean>`ltrim(version, 'v') in ${texts([...versions])}`)
    .orderBy('id')
    .execute()
}
