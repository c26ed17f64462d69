import { daysOld } from '../../contract/facts-age.ts'
import type { Db } from '../../db/open.ts'
import { listProjectFacts, type ProjectFacts } from '../../store/catalog/project-facts.ts'
import { formatDay } from '../../util/time.ts'

/** Days until which releases of these projects are known. A project that ended has no newer ones, whatever its day. */
export async function daysOfReleases(db: Db, facts: readonly ProjectFacts[], now: number) {
  const { findFacts } = await import('../facts/state-facts.ts')
  const { isRetired } = await import('../../freshness/facts/project-facts.ts')
  const { projects } = await findFacts(db)
  const today = formatDay(now)
  const living = facts.filter(({ slug }) => !projects.ofSlug(slug).some((fact) => isRetired(fact, today)))
  return living.flatMap(({ knownUntil }) => knownUntil ?? [])
}

/** Number of projects in the catalog with old facts about releases. `now` is in unix seconds. */
export async function countStaleProjects(db: Db, now: number) {
  const days = await daysOfReleases(db, await listProjectFacts(db), now)
  return days.filter((day) => daysOld(day, now) > 0).length
}
