import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { isPinned } from '../runs/baseline.ts'
import { isForgettable } from '../runs/cluster.ts'
import { unpackDependent } from '../runs/records.ts'

/**
 * Deletes at most `limit` of the oldest runs uploaded before a time, in one transaction per cluster; returns how many.
 * Unlike a run that its owner deletes, an expired one stays in `finding_history` (fingerprints only), so that a finding
 * which returns after all its runs expired is still "regressed", not "new". A cluster is deleted with its last run,
 * including its history, unless it has settings. `beforeRemoval` is called with each run that is still there.
 */
export async function removeOldRuns(
  db: Db,
  { before, limit }: { before: UnixSeconds; limit: number },
  beforeRemoval: (trx: Db, runRowId: number) => Promise<void> = async () => {},
) {
  const old = await db
    .selectFrom('run')
    .select(['id', 'cluster_id', 'at'])
    .where('ingested_at', '<', before)
    // A baseline is kept: without it, what came since would pass.
    .where(({ not }) => not(isPinned))
    .orderBy('id')
    .limit(limit)
    .execute()
  let removed = 0
  for (const [clusterId, runs] of Map.groupBy(old, (run) => run.cluster_id)) {
    const ids = runs.toSorted((a, b) => a.at - b.at || a.id - b.id).map(({ id }) => id)
    removed += await write(db, `cluster:${clusterId} runs`, async (trx) => {
      for (const id of ids) await beforeRemoval(trx, id)
      await unpackDependent(trx, ids)
      const { numDeletedRows } = await trx.deleteFrom('run').where('id', 'in', ids).executeTakeFirstOrThrow()
      await trx.deleteFrom('cluster').where('id', '=', clusterId).where(isForgettable).execute()
      return Number(numDeletedRows)
    })
  }
  return removed
}

/** By table: the column with the time, and the column that sorts rows by it. */
const rowTimes = {
  delivery: { time: 'created_at', order: 'id' },
  audit: { time: 'at', order: 'at' },
  event_log: { time: 'at', order: 'at' },
} as const

/** Deletes at most `limit` of the oldest rows from before a time; returns how many. */
export async function removeOldRows(
  db: Db,
  table: keyof typeof rowTimes,
  { before, limit }: { before: UnixSeconds; limit: number },
) {
  const { time, order } = rowTimes[table]
  // PostgreSQL may evaluate a subquery in the condition again for each row.
  const { numAffectedRows = 0n } = await sql`
    with old as materialized (
      select id from ${sql.table(table)} where ${sql.ref(time)} < ${before} order by ${sql.ref(order)} limit ${limit})
    delete from ${sql.table(table)} where id in (select id from old)`.execute(db)
  return Number(numAffectedRows)
}
