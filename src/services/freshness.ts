import type { Freshness, FreshnessItem } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import { assessFreshness, lookupKeys } from '../freshness/index.ts'
import { findKnownProjects } from '../store/project.ts'
import { findKnownReleases } from '../store/release.ts'
import type { StoredRun } from '../store/run.ts'
import { getCatalogDate } from './catalog.ts'
import { openContext } from './run-context.ts'
import type { Vault } from './vault.ts'

interface Options {
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
  explain: boolean
}

/** What of a run is out of date, measured against the catalog as it is now. */
export async function assessRun(db: Db, { id, run }: StoredRun, options: Options): Promise<Freshness> {
  const { vault, now, explain } = options
  const { artifacts } = await openContext(db, await vault(), id, run.run_id)
  const date = await getCatalogDate(db, now)
  const projects = await findKnownProjects(db, lookupKeys(artifacts))
  const releases = await findKnownReleases(
    db,
    projects.map((project) => project.id),
  )
  const catalog = { date, projects, releasesOf: (projectId: number) => releases.get(projectId) ?? [] }
  const items = assessFreshness(artifacts, catalog, { now, explain })
  return {
    success: true,
    run_id: run.run_id,
    processing_status: 'ready',
    catalog_date: date,
    summary: summarize(items),
    items,
  }
}

function summarize(items: FreshnessItem[]): Freshness['summary'] {
  const summary = { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 }
  for (const item of items) summary[item.status]++
  return summary
}
