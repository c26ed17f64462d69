import type { Db } from '../../db/open.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface StoredJob {
  name: string
  watermark: UnixSeconds
  isPaused: boolean
}

/** Adds new jobs, whose occurrences start now. A job with a changed schedule starts again. */
export async function registerJobs(trx: Db, jobs: { name: string; schedule: string }[], now: UnixSeconds) {
  const known = new Map((await trx.selectFrom('agent_job').selectAll().execute()).map((row) => [row.name, row]))
  for (const { name, schedule } of jobs) {
    const row = known.get(name)
    if (!row) await trx.insertInto('agent_job').values({ name, schedule, watermark: now }).execute()
    else if (row.schedule !== schedule) {
      await trx.updateTable('agent_job').set({ schedule, watermark: now }).where('name', '=', name).execute()
    }
  }
}

export async function listJobs(db: Db): Promise<StoredJob[]> {
  const rows = await db.selectFrom('agent_job').select(['name', 'watermark', 'is_paused']).execute()
  return rows.map(({ is_paused, ...row }) => ({ ...row, isPaused: is_paused !== 0 }))
}

export async function saveWatermark(trx: Db, name: string, watermark: UnixSeconds) {
  await trx.updateTable('agent_job').set({ watermark }).where('name', '=', name).execute()
}

/** False if there is no such job. */
export async function setPaused(db: Db, name: string, isPaused: boolean) {
  const { numUpdatedRows } = await db
    .updateTable('agent_job')
    .set({ is_paused: Number(isPaused) })
    .where('name', '=', name)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
