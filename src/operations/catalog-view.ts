import type { Db } from '../db/open.ts'
import type { CatalogView } from '../freshness/catalog-view.ts'
import type { LookupKeys } from '../freshness/index.ts'
import { findCycles } from '../store/cycle.ts'
import { findKnownProjects } from '../store/project.ts'
import { findKnownReleases } from '../store/release.ts'
import { getCatalogDate } from './catalog.ts'

/** Facts of the store about candidate projects. */
export async function findCatalog(db: Db, keys: LookupKeys, now: number): Promise<CatalogView> {
  const date = await getCatalogDate(db, now)
  const { bundledManagedFacts } = await import('../catalog/managed.ts')
  const managed = bundledManagedFacts()
  const slugs = keys.repositories.flatMap((repository) => managed.find(repository)?.slug ?? [])
  const names = [...new Set([...keys.names, ...slugs])]
  const projects = await findKnownProjects(db, { ...keys, names })
  const ids = projects.map(({ id }) => id)
  const releases = await findKnownReleases(db, ids)
  const cycles = await findCycles(db, ids)
  const { endOfLifeOf } = await import('../lifecycle/end-of-life.ts')
  return {
    date,
    projects,
    releasesOf: (id) => releases.get(id) ?? [],
    advisoriesOf: () => undefined,
    endOfLifeOf: ({ id, slug }, segments, today) =>
      endOfLifeOf(slug, segments, { fetched: cycles.get(id) ?? [], today }),
    managed,
  }
}
