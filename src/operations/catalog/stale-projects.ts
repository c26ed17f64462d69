import { daysOld } from '../../contract/facts-age.ts'
import type { Db } from '../../db/open.ts'
import { listProjectFacts } from '../../store/catalog/project-facts.ts'

/** Number of projects in the catalog with old facts about releases. `now` is in unix seconds. */
export async function countStaleProjects(db: Db, now: number) {
  return (await listProjectFacts(db)).filter(({ knownUntil }) => daysOld(knownUntil, now) > 0).length
}
