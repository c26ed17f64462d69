import { staleDays } from '../../contract/thresholds.ts'
import type { Db } from '../../db/open.ts'
import { listProjectFacts, type ProjectFacts } from '../../store/catalog/project-facts.ts'
import { daySeconds, formatTimestamp } from '../../util/time.ts'
import { getCatalogDate } from './bundled.ts'

/** How many projects of the catalog have stale facts about their releases. `now` is in unix seconds. */
export async function countStaleProjects(db: Db, now: number): Promise<number> {
  const date = await getCatalogDate(db, now)
  const oldest = formatTimestamp(now - staleDays * daySeconds).slice(0, 10)
  return (await listProjectFacts(db)).filter((facts) => dayOfFacts(facts, date) < oldest).length
}

/** The bundled catalog's day, if no source has answered since. */
export function dayOfFacts({ releasesAsOf }: ProjectFacts, catalogDate: string): string {
  return releasesAsOf !== null && releasesAsOf > catalogDate ? releasesAsOf : catalogDate
}
