import { isTransactional } from './kind.ts'
import type { Lock } from './lock.ts'
import type { Db } from './open.ts'

/**
 * Runs the work in a transaction that holds a lock; inside an open transaction, as part of it. Checking what the lock covers
 * and then writing is safe across processes: SQLite has one writer, and PostgreSQL an advisory lock for each name. The work
 * may be retried, so it must not change anything outside the database.
 */
export function write<T>(db: Db, lock: Lock, work: (trx: Db) => Promise<T>) {
  const { adapter } = db.getExecutor()
  if (isTransactional(adapter)) return adapter.write(db, lock, work)
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

/** Takes another lock in a transaction. `shared`: allows other transactions that share it. */
export function takeLock(trx: Db, lock: Lock, options?: { shared?: boolean }) {
  return takeLocks(trx, [lock], options)
}

/** Takes several locks, in this order. */
export async function takeLocks(trx: Db, locks: Lock[], { shared = false } = {}) {
  const { adapter } = trx.getExecutor()
  if (isTransactional(adapter)) await adapter.takeLocks(trx, locks, { shared })
}
