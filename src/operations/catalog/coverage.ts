import type { Db } from '../../db/open.ts'
import type { CatalogAdvisory } from '../../security/catalog-advisory.ts'
import { listCatalogAdvisories } from '../../store/catalog/catalog-advisory.ts'
import { type CoverageRow, listCoverageRows } from '../../store/catalog/coverage.ts'
import { chooseProjects } from './choose-project.ts'

/** Depth and age of the catalog's facts about a project. Days are `YYYY-MM-DD`. */
export interface ProjectCoverage extends Omit<CoverageRow, 'id' | 'releases_as_of'> {
  project_id: number
  /** Day of the facts about releases, `YYYY-MM-DD`. */
  releases_as_of: string
  advisories: number
  /** Number of advisories without a severity. */
  unrated: number
}

/** Coverage by slug. `date` is the day of the catalog. */
export async function coverageOfProjects(db: Db, wanted: string[], date: string): Promise<ProjectCoverage[]> {
  const rows = chooseProjects(await listCoverageRows(db), wanted)
  const advisories = await listCatalogAdvisories(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, releases_as_of: answered, ...row }) => {
    const distinct = distinctAdvisories(advisories.get(id) ?? [])
    return {
      project_id: id,
      ...row,
      releases_as_of: answered !== null && answered > date ? answered : date,
      advisories: distinct.length,
      unrated: distinct.filter(({ severity }) => severity === null).length,
    }
  })
}

/** Counts each vulnerability once, unless withdrawn. Its ids are aliases of each other. */
function distinctAdvisories(advisories: readonly CatalogAdvisory[]): CatalogAdvisory[] {
  const open = advisories.filter(({ withdrawn_at }) => withdrawn_at === null)
  const isSame = (a: CatalogAdvisory, b: CatalogAdvisory) => a.aliases.includes(b.id) || b.aliases.includes(a.id)
  return open.filter((advisory, index) => !open.slice(0, index).some((other) => isSame(advisory, other)))
}
