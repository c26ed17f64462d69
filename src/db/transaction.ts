import type { Db } from './open.ts'

/** Runs the work in a transaction; inside one already, as part of it. */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
