import type { Db } from '../../db/open.ts'

/** Dates the projects of a new store that has just been created from a file. */
export async function stampProjects(db: Db, now: number): Promise<void> {
  await db.updateTable('project').set({ updated_at: now }).execute()
}
