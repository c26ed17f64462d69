import type { Db } from '../db/open.ts'
import { removeOldRuns } from '../store/retention.ts'
import { removeExpiredSessions } from '../store/session.ts'

const daySeconds = 86_400

/** So few that uploads need not wait long for the store in between. */
const batch = 25

/** Removes the runs that came in more than `days` ago (0 keeps all), and sessions that have ended. */
export async function applyRetention(db: Db, { days, now }: { days: number; now: number }): Promise<number> {
  await removeExpiredSessions(db, now)
  if (days === 0) return 0
  let removed = 0
  for (;;) {
    const count = await removeOldRuns(db, { before: now - days * daySeconds, limit: batch })
    removed += count
    if (count < batch) return removed
  }
}
