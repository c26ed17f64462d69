import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'

/** Chart releases that state their Kubernetes version range. */
export function listChartRanges(db: Db, projectIds: readonly number[]) {
  return db
    .selectFrom('release')
    .select(['project_id', 'chart_name', 'version', 'app_version', 'published_at'])
    .select(sql<string>`kube_version`.as('kube_version'))
    .where('kube_version', 'is not', null)
    .where('type', '=', 'helm')
    .where(sql<boolean>`project_id in ${integers([...projectIds])}`)
    .orderBy('id')
    .execute()
}
