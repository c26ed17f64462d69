import { setImmediate as giveWay } from 'node:timers/promises'
import type { RetentionDays } from '../../config/retention.ts'
import type { Db } from '../../db/open.ts'
import { removeExpiredSessions } from '../../store/accounts/session.ts'
import { removeOldRows, removeOldRuns } from '../../store/store-care/retention.ts'
import { vacuum } from '../../store/store-care/vacuum.ts'
import { daySeconds } from '../../util/time.ts'

/** Number of removed rows of each kind. */
export type RemovedCounts = Record<keyof RetentionDays, number>

interface Kind {
  /** Removes at most `limit` of the oldest rows from before a time (unix seconds); returns how many. */
  removeOld: (db: Db, old: { before: number; limit: number }) => Promise<number>
  /** Small, so that uploads need not wait long for the store in between. */
  batch: number
}

const kinds: Record<keyof RetentionDays, Kind> = {
  runs: { removeOld: removeOldRuns, batch: 25 },
  deliveries: { removeOld: (db, old) => removeOldRows(db, 'delivery', old), batch: 1000 },
  audit: { removeOld: (db, old) => removeOldRows(db, 'audit', old), batch: 1000 },
}

const events: Kind = { removeOld: (db, old) => removeOldRows(db, 'event_log', old), batch: 1000 }

/** Removes expired data, runs by upload time, and expired sessions. */
export async function applyRetention(db: Db, days: RetentionDays, now: number): Promise<RemovedCounts> {
  await removeExpiredSessions(db, now)
  const remove = (name: keyof RetentionDays) =>
    days[name] === 0 ? 0 : removeAll(db, kinds[name], now - days[name] * daySeconds)
  const removed = { runs: await remove('runs'), deliveries: await remove('deliveries'), audit: await remove('audit') }
  // Events are kept as long as the messages that refer to them.
  if (days.deliveries > 0) await removeAll(db, events, now - days.deliveries * daySeconds)
  await vacuum(db)
  return removed
}

async function removeAll(db: Db, { removeOld, batch }: Kind, before: number): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await removeOld(db, { before, limit: batch })
    removed += count
    if (count < batch) return removed
    // SQLite queries block the thread: without a pause, requests would wait for the last batch.
    await giveWay()
  }
}
