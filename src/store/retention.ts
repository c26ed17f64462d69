import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { isForgettable } from './cluster.ts'

/**
 * Removes the oldest of the runs that came in before a time (unix seconds), at most `limit`, in one transaction; returns
 * how many went. Unlike a run that its owner deletes, an expired one leaves its mark: `finding_history` stays as it is,
 * so that a finding which returns after all runs that had it have expired is still "regressed", not "new". It holds
 * fingerprints alone. A cluster goes, with its history, when its last run does, unless it has settings.
 */
export function removeOldRuns(db: Db, { before, limit }: { before: number; limit: number }): Promise<number> {
  return inTransaction(db, async (trx) => {
    const old = await trx
      .selectFrom('run')
      .select(['id', 'cluster_id'])
      .where('ingested_at', '<', before)
      .orderBy('id')
      .limit(limit)
      .execute()
    if (old.length === 0) return 0
    const ids = old.map((run) => run.id)
    const clusterIds = [...new Set(old.map((run) => run.cluster_id))]
    await trx.deleteFrom('run').where('id', 'in', ids).execute()
    await trx.deleteFrom('cluster').where('id', 'in', clusterIds).where(isForgettable).execute()
    return old.length
  })
}
