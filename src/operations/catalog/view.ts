import type { Db } from '../../db/open.ts'
import type { KnownAdvisory } from '../../freshness/affected.ts'
import type { CatalogView, KnownProject } from '../../freshness/catalog-view.ts'
import type { LookupKeys } from '../../freshness/index.ts'
import type { EolReader } from '../../lifecycle/cycle.ts'
import { findCycles } from '../../store/catalog/cycle.ts'
import { findKnownProjects } from '../../store/catalog/project.ts'
import { findKnownReleases } from '../../store/catalog/release.ts'
import { findBundle } from '../facts/bundle.ts'
import { findFacts } from '../facts/state-facts.ts'
import { getCatalogDate } from './bundled.ts'

/** Advisories by project id; undefined for a project without known advisories. */
export type FindAdvisories = (
  db: Db,
  projects: KnownProject[],
) => Promise<(projectId: number) => KnownAdvisory[] | undefined>

/** Facts of the store about candidate projects, with the advisories that `findAdvisories` selects. */
export async function findCatalog(
  db: Db,
  keys: LookupKeys,
  now: number,
  findAdvisories: FindAdvisories,
): Promise<CatalogView> {
  await getCatalogDate(db, now)
  const { managedFacts } = await import('../../catalog/managed.ts')
  const managed = managedFacts(await findBundle(db))
  const slugs = keys.repositories.flatMap((repository) => managed.find(repository)?.slug ?? [])
  const projects = await findKnownProjects(db, { ...keys, names: [...new Set([...keys.names, ...slugs])] })
  return { ...(await toView(db, projects, now, findAdvisories)), managed }
}

/** Like `findCatalog`, for known projects: without managed offerings, which only matching needs. */
export async function toView(
  db: Db,
  projects: KnownProject[],
  now: number,
  findAdvisories: FindAdvisories,
): Promise<CatalogView> {
  const date = await getCatalogDate(db, now)
  const ids = projects.map(({ id }) => id)
  const releasesFor = await findKnownReleases(db, ids)
  const advisoriesFor = await findAdvisories(db, projects)
  const cycles = await findCycles(db, ids)
  const { endOfLifeReader } = await import('../../lifecycle/end-of-life.ts')
  const readers = new Map<number, { today: string; read: EolReader }>()
  return {
    date,
    projects,
    releasesFor,
    advisoriesFor,
    facts: await findFacts(db),
    endOfLifeFor({ id, slug }, segments, today) {
      const known = readers.get(id)
      if (known?.today === today) return known.read(segments)
      const read = endOfLifeReader(slug, { fetched: cycles.get(id) ?? [], today })
      readers.set(id, { today, read })
      return read(segments)
    },
  }
}
