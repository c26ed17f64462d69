import { isTransactional } from './kind.ts'
import type { Db } from './open.ts'

/**
 * Runs the work in a transaction; inside one already, as part of it. Transactions that write take turns over all
 * processes on both databases, so checking and then writing is safe.
 */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db)
  const { adapter } = db.getExecutor()
  return isTransactional(adapter) ? adapter.inTransaction(db, work) : db.transaction().execute(work)
}
