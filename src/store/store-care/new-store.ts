import type { Db } from '../../db/open.ts'

/** Sets the creation time of projects in a store that was just created from the prebuilt file. */
export async function stampProjects(db: Db, now: number) {
  await db.updateTable('project').set({ updated_at: now }).execute()
}
