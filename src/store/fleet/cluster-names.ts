import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

export async function listClusterNames(db: Db, ownerId: number) {
  const rows = await db
    .selectFrom('cluster')
    .select(['id', 'name', 'environment', 'labels'])
    .where('owner_id', '=', ownerId)
    .execute()
  return rows.map((row) => ({ ...row, labels: JSON.parse(row.labels) as string[] }))
}

/** Whether any run is newer than the figures of its cluster. */
export async function hasUnreadRuns(db: Db, ownerId: number) {
  const { rows } = await sql`
    select 1 from cluster where owner_id = ${ownerId}
      and not exists (select 1 from cluster_summary where cluster_id = cluster.id)
      and exists (select 1 from run where cluster_id = cluster.id) limit 1`.execute(db)
  return rows.length > 0
}
