import { setImmediate as giveWay } from 'node:timers/promises'
import type { RetentionDays } from '../../config/retention.ts'
import type { Db } from '../../db/open.ts'
import { removeExpiredSessions } from '../../store/accounts/session.ts'
import { getRunById } from '../../store/runs/run.ts'
import { removeOldRows, removeOldRuns } from '../../store/store-care/retention.ts'
import { vacuum } from '../../store/store-care/vacuum.ts'
import { daySeconds } from '../../util/time.ts'
import type { Unlock } from '../keys/vault.ts'
import { passOnJoins } from '../runs/joins.ts'

/** Number of removed rows of each kind. */
export type RemovedCounts = Record<keyof RetentionDays, number>

/** Batches are small, so that uploads need not wait long for the store in between. */
const runsAtOnce = 25
const rowsAtOnce = 1000

/** Removes expired data, runs by upload time, and expired sessions. */
export async function applyRetention(
  { db, vault }: { db: Db; vault: Unlock },
  days: RetentionDays,
  now: number,
): Promise<RemovedCounts> {
  await removeExpiredSessions(db, now)
  const timeOf = (name: keyof RetentionDays) => days[name] > 0 && now - days[name] * daySeconds
  const removeRows = (table: Parameters<typeof removeOldRows>[1], before: number | false) =>
    removeAll(before, rowsAtOnce, (old) => removeOldRows(db, table, old))
  const runs = await removeAll(timeOf('runs'), runsAtOnce, (old) =>
    removeOldRuns(db, old, async (trx, id) => passOnJoins(trx, vault, await getRunById(trx, id))),
  )
  const deliveries = await removeRows('delivery', timeOf('deliveries'))
  const audit = await removeRows('audit', timeOf('audit'))
  // Events are kept as long as the messages that refer to them.
  await removeRows('event_log', timeOf('deliveries'))
  await vacuum(db)
  return { runs, deliveries, audit }
}

async function removeAll(
  before: number | false,
  limit: number,
  removeOld: (old: { before: number; limit: number }) => Promise<number>,
) {
  if (before === false) return 0
  let removed = 0
  for (;;) {
    const count = await removeOld({ before, limit })
    removed += count
    if (count < limit) return removed
    // SQLite queries block the thread: without a pause, requests would wait for the last batch.
    await giveWay()
  }
}
