import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { UnknownOutcome } from './driver.ts'
import { isConflict, isLost, toStoreError } from './errors.ts'

/** Transactions take turns over all processes, as they do in SQLite. This number is the lock's name. */
export const storeLock = 0x72656c74

const maxAttempts = 4

/**
 * Runs the work in a transaction that holds the store's lock. It reads what was committed before, so checking and then
 * writing is safe. Work that was rolled back by a conflict or a lost connection is done again.
 */
export async function inPostgresTransaction<T, R>(db: Kysely<T>, work: (trx: Kysely<T>) => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(storeLock)})`.execute(trx)
        return work(trx)
      })
    } catch (error) {
      if (error instanceof UnknownOutcome) {
        throw new ReltError('busy', 'The connection to the database ended before the change was confirmed.', {
          hint: 'Check whether it is stored, then try again.',
          retryAfter: 2,
          cause: error,
        })
      }
      const reason = error instanceof ReltError ? error.cause : error
      if (attempt >= maxAttempts || !(isConflict(reason) || isLost(reason))) throw toStoreError(error)
    }
    await wait(50 * 2 ** attempt * (0.5 + Math.random()))
  }
}
