import type { Db } from '../db/open.ts'
import { listCoverageRows } from '../store/catalog-coverage.ts'
import { chooseProjects } from './choose-project.ts'

/** Facts of the catalog about a project. Days are `YYYY-MM-DD`. */
export interface ProjectCoverage {
  project_id: number
  slug: string
  name: string
  app_releases: number
  chart_releases: number
  first_release: string | null
  newest_release: string | null
  /** Every app release since this day is known; null: some may be missing. */
  complete_since: string | null
  /** The source of that judgement. */
  history_basis: string | null
  /** Day of the facts about releases. */
  releases_as_of: string
  advisories: number
  /** Advisories without a severity. */
  unrated: number
  /** Day of the facts about advisories; null: there are none. */
  advisories_as_of: string | null
}

/** By slug. `date` is the day of the catalog. */
export async function coverageOfProjects(db: Db, wanted: string[], date: string): Promise<ProjectCoverage[]> {
  const rows = await listCoverageRows(db)
  return chooseProjects(rows, wanted).map(({ id, releases_as_of: answered, ...row }) => ({
    project_id: id,
    ...row,
    releases_as_of: answered !== null && answered > date ? answered : date,
  }))
}
