import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { isForgettable } from '../runs/cluster.ts'

/**
 * Removes the oldest of the runs that came in before a time, at most `limit`, in a transaction for each cluster; returns
 * how many went. Unlike a run that its owner deletes, an expired one leaves its mark: `finding_history` stays as it is,
 * so that a finding which returns after all runs that had it have expired is still "regressed", not "new". It holds
 * fingerprints alone. A cluster goes, with its history, when its last run does, unless it has settings.
 */
export async function removeOldRuns(
  db: Db,
  { before, limit }: { before: UnixSeconds; limit: number },
): Promise<number> {
  const old = await db
    .selectFrom('run')
    .select(['id', 'cluster_id'])
    .where('ingested_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
  let removed = 0
  for (const [clusterId, runs] of Map.groupBy(old, (run) => run.cluster_id)) {
    const ids = runs.map((run) => run.id)
    removed += await write(db, `cluster:${clusterId} runs`, async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('run').where('id', 'in', ids).executeTakeFirstOrThrow()
      await trx.deleteFrom('cluster').where('id', '=', clusterId).where(isForgettable).execute()
      return Number(numDeletedRows)
    })
  }
  return removed
}

/** By table: the column of the time, and the one that orders the rows by it. */
const rowTimes = {
  delivery: { time: 'created_at', order: 'id' },
  audit: { time: 'at', order: 'at' },
  event_log: { time: 'at', order: 'at' },
} as const

/** Removes the oldest rows from before a time, at most `limit`; returns how many went. */
export async function removeOldRows(
  db: Db,
  table: keyof typeof rowTimes,
  { before, limit }: { before: UnixSeconds; limit: number },
): Promise<number> {
  const { time, order } = rowTimes[table]
  // PostgreSQL may evaluate a subquery in the condition again for each row.
  const { numAffectedRows = 0n } = await sql`
    with old as materialized (
      select id from ${sql.table(table)} where ${sql.ref(time)} < ${before} order by ${sql.ref(order)} limit ${limit})
    delete from ${sql.table(table)} where id in (select id from old)`.execute(db)
  return Number(numAffectedRows)
}
