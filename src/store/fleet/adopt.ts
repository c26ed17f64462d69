import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/page.ts'
import type { Cluster } from '../runs/cluster.ts'
import { unlessEarlier } from '../runs/finding-history.ts'
import { unpackDependent } from '../runs/records.ts'
import { moveSeries } from '../runs/series.ts'

/** Moves a cluster, or all profiles, to another owner. */
export async function moveCluster(trx: Db, clusterId: number, ownerId: number) {
  await trx.updateTable('cluster').set({ owner_id: ownerId }).where('id', '=', clusterId).execute()
}

/**
 * Moves the runs of a cluster into one with the same name and environment, and removes the empty cluster. Deletes a run as a
 * duplicate if the target has one with the same content and time. Histories are merged: the earliest run with a finding
 * counts. Returns the number of moved runs and of duplicates.
 */
export async function mergeClusters(trx: Db, from: Pick<Cluster, 'id'>, into: Pick<Cluster, 'id'>) {
  const { rows: duplicates } = await sql<{ id: number; kept: number }>`
    select run.id as id, min(there.id) as kept from run
    join run as there on there.cluster_id = ${into.id} and there.content_hash = run.content_hash and there.at = run.at
    where run.cluster_id = ${from.id} group by run.id`.execute(trx)
  for (const { id, kept } of duplicates) {
    await sql`update finding_history set first_run_id = ${kept}
      where cluster_id = ${from.id} and first_run_id = ${id}`.execute(trx)
    await unpackDependent(trx, [id])
    await trx.deleteFrom('run').where('id', '=', id).execute()
  }
  // Idempotency keys are unique in a cluster; of two uploads with the same key, the later one loses it.
  await sql`update run set idempotency_key = null where cluster_id = ${from.id} and idempotency_key in (
    select idempotency_key from run as there where there.cluster_id = ${into.id} and idempotency_key is not null)`.execute(
    trx,
  )
  const { numUpdatedRows } = await trx
    .updateTable('run')
    .set({ cluster_id: into.id })
    .where('cluster_id', '=', from.id)
    .executeTakeFirstOrThrow()
  await sql`
    insert into finding_history (cluster_id, fingerprint, first_at, first_run_id)
    select ${into.id}, fingerprint, first_at, first_run_id from finding_history where cluster_id = ${from.id}
    ${unlessEarlier}`.execute(trx)
  await sql`update cluster set first_at = (select min(first_at) from cluster where id in (${from.id}, ${into.id}))
    where id = ${into.id}`.execute(trx)
  await moveSeries(trx, from.id, into.id)
  await trx.deleteFrom('cluster').where('id', '=', from.id).execute()
  return { moved: Number(numUpdatedRows), duplicates: duplicates.length }
}

export function countRuns(db: Db, clusterId: number) {
  return countRows(db.selectFrom('run').where('cluster_id', '=', clusterId))
}
