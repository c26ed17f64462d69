import { staleDays } from '../../contract/thresholds.ts'
import type { Db } from '../../db/open.ts'
import { listProjectFacts, type ProjectFacts } from '../../store/catalog/project-facts.ts'
import { daySeconds, formatDay } from '../../util/time.ts'
import { getCatalogDate } from './bundled.ts'

/** Number of projects in the catalog with stale facts about releases. `now` is in unix seconds. */
export async function countStaleProjects(db: Db, now: number) {
  const date = await getCatalogDate(db, now)
  const oldest = formatDay(now - staleDays * daySeconds)
  return (await listProjectFacts(db)).filter((facts) => dayOfFacts(facts, date) < oldest).length
}

/** Day of the bundled catalog, unless a source has answered since. */
export function dayOfFacts({ releasesAsOf }: ProjectFacts, catalogDate: string) {
  return releasesAsOf !== null && releasesAsOf > catalogDate ? releasesAsOf : catalogDate
}
