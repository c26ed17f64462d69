import { sql } from 'kysely'
import { isShared } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'

/** Servers start a job slightly before its period is over, because their timers differ. */
const tolerance = 0.9

/**
 * Whether this server runs a periodic job now: of all servers of a PostgreSQL database, one does. With SQLite, a server runs
 * its jobs whenever it starts.
 */
export async function claimPeriod(db: Db, job: string, { now, everySeconds }: { now: number; everySeconds: number }) {
  if (!isShared(db)) return true
  const before = now - Math.floor(everySeconds * tolerance)
  const { numAffectedRows } = await sql`
    insert into meta (key, value) values (${`job: ${job}`}, ${String(now)})
    on conflict (key) do update set value = excluded.value where cast(meta.value as bigint) <= ${before}`.execute(db)
  return numAffectedRows === 1n
}
