import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ReltError } from '../../errors.ts'
import { remember } from '../../util/remember.ts'
import type { Lock } from '../lock.ts'
import { UnknownOutcome } from './driver.ts'
import { isConflict, isLost, toStoreError, violatesConstraint } from './errors.ts'

const maxAttempts = 4

/**
 * Runs the work in a transaction that holds an advisory lock; inside an open transaction, as part of it. Each statement sees
 * what was committed before, so checking and then writing is safe. After a conflict or a lost connection the work is
 * retried; after a violated constraint once, because its check can miss a row that another transaction adds.
 */
export function writeUnderLock<T, R>(db: Kysely<T>, lock: Lock, work: (trx: Kysely<T>) => Promise<R>) {
  const lockAndWork = async (trx: Kysely<T>) => {
    await takeAdvisoryLocks(trx, [lock], { shared: false })
    return work(trx)
  }
  if (db.isTransaction) return lockAndWork(db)
  if (lock === 'nothing') return repeatTransaction(db, lockAndWork)
  return inTurn(db.getExecutor().adapter, lock, () => repeatTransaction(db, lockAndWork))
}

/** The last transaction of each lock in this process, by database. */
const turns = new WeakMap<object, Map<Lock, Promise<unknown>>>()

/** Serializes transactions of this process: while waiting for each other they would occupy all connections of the pool. */
async function inTurn<R>(database: object, lock: Lock, work: () => Promise<R>) {
  const last = remember(turns, database, () => new Map<Lock, Promise<unknown>>())
  const turn = Promise.resolve(last.get(lock)).then(work, work)
  last.set(lock, turn)
  try {
    return await turn
  } finally {
    if (last.get(lock) === turn) last.delete(lock)
  }
}

async function repeatTransaction<T, R>(db: Kysely<T>, lockAndWork: (trx: Kysely<T>) => Promise<R>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(lockAndWork)
    } catch (error) {
      if (error instanceof UnknownOutcome) {
        throw new ReltError('busy', 'The connection to the database ended before the change was confirmed.', {
          hint: 'Check whether it is stored, then try again.',
          retryAfter: 2,
          cause: error,
        })
      }
      const reason = error instanceof ReltError ? error.cause : error
      const canRepeat =
        isConflict(reason) || isLost(reason) ? attempt < maxAttempts : violatesConstraint(reason) && attempt === 1
      if (!canRepeat) throw toStoreError(error)
    }
    await wait(50 * 2 ** attempt * (0.5 + Math.random()))
  }
}

/** Held until the end of the transaction. A trigger takes the lock `store keys` in the same way; see its migration. */
export async function takeAdvisoryLocks<T>(trx: Kysely<T>, locks: Lock[], { shared }: { shared: boolean }) {
  const wanted = locks.filter((lock) => lock !== 'nothing').map((lock) => ({ lock, shared }))
  if (wanted.length === 0) return
  // An exclusive lock on the runs of all clusters conflicts with locks on the runs of one.
  const all: Lock = 'cluster runs'
  if (locks.some((lock) => lock.startsWith('cluster:'))) wanted.unshift({ lock: all, shared: true })
  const [names, flags] = [wanted.map(({ lock }) => lock), wanted.map((each) => each.shared)]
  await sql`
    select case when shared then pg_advisory_xact_lock_shared(hashtextextended(name, 0))
      else pg_advisory_xact_lock(hashtextextended(name, 0)) end
    from unnest(cast(${names} as text[]), cast(${flags} as boolean[])) as wanted (name, shared)`.execute(trx)
}
