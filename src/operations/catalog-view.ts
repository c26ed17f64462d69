import type { Db } from '../db/open.ts'
import type { KnownAdvisory } from '../freshness/affected.ts'
import type { CatalogView, KnownProject } from '../freshness/catalog-view.ts'
import type { LookupKeys } from '../freshness/index.ts'
import { findCycles } from '../store/cycle.ts'
import { findKnownProjects } from '../store/project.ts'
import { findKnownReleases } from '../store/release.ts'
import { getCatalogDate } from './catalog.ts'

/** Advisories by project. A project without an entry has no known advisories. */
export type FindAdvisories = (db: Db, projects: KnownProject[]) => Promise<Map<number, KnownAdvisory[]>>

/** Facts of the store about candidate projects, with the advisories that `findAdvisories` selects. */
export async function findCatalog(
  db: Db,
  keys: LookupKeys,
  now: number,
  findAdvisories: FindAdvisories,
): Promise<CatalogView> {
  const date = await getCatalogDate(db, now)
  const { bundledManagedFacts } = await import('../catalog/managed.ts')
  const managed = bundledManagedFacts()
  const slugs = keys.repositories.flatMap((repository) => managed.find(repository)?.slug ?? [])
  const names = [...new Set([...keys.names, ...slugs])]
  const projects = await findKnownProjects(db, { ...keys, names })
  const ids = projects.map(({ id }) => id)
  const releases = await findKnownReleases(db, ids)
  const advisories = await findAdvisories(db, projects)
  const cycles = await findCycles(db, ids)
  const { endOfLifeOf } = await import('../lifecycle/end-of-life.ts')
  return {
    date,
    projects,
    releasesOf: (id) => releases.get(id) ?? [],
    advisoriesOf: (id) => advisories.get(id),
    endOfLifeOf: ({ id, slug }, segments, today) =>
      endOfLifeOf(slug, segments, { fetched: cycles.get(id) ?? [], today }),
    managed,
  }
}
