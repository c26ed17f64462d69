import { remember } from '../util/remember.ts'
import { formatDay, type UnixSeconds } from '../util/time.ts'
import { AdvisoryBook } from './affected.ts'
import type { CatalogView, KnownProject } from './catalog-view.ts'
import { noStateFacts, type StateFacts } from './facts/state-facts.ts'
import { isGenericImage, isGenericName, lastSegment, ownerAndName, toSlug } from './image-names.ts'
import { createReleaseBook, type ReleaseBook } from './releases.ts'

/** The catalog, indexed for one assessment. */
export interface CatalogFacts {
  index: ProjectIndex
  book: ReleaseBook
  /** Undefined if no source knows whether the project has advisories. */
  advisoriesFor(projectId: number): AdvisoryBook | undefined
  endOfLifeFor: CatalogView['endOfLifeFor']
  managed: CatalogView['managed']
  facts: StateFacts
  /** Day of the catalog; days are `YYYY-MM-DD`. */
  date: string
  /** Used for support ends. */
  today: string
  /** Unix seconds. */
  now: UnixSeconds
}

export function prepareCatalog(catalog: CatalogView, nowSeconds: number): CatalogFacts {
  const advisories = new Map<number, AdvisoryBook | undefined>()
  const facts = catalog.facts ?? noStateFacts
  return {
    index: indexProjects(catalog.projects),
    book: createReleaseBook((projectId) => catalog.releasesFor(projectId), facts),
    advisoriesFor: (projectId) =>
      remember(advisories, projectId, () => {
        const found = catalog.advisoriesFor(projectId)
        return found && new AdvisoryBook(found)
      }),
    endOfLifeFor: catalog.endOfLifeFor,
    managed: catalog.managed,
    facts,
    date: catalog.date,
    today: formatDay(nowSeconds),
    now: nowSeconds,
  }
}

type Lookup = (key: string) => KnownProject[]

/** Indexes to find a project; several projects may share a key. */
interface ProjectIndex {
  byRepository: Lookup
  /** Key without the registry: `argoproj/argocd`. */
  byOwnerAndName: Lookup
  byChart: Lookup
  /** Keys: slug, name or last part of a repository; generic names find nothing. */
  byName: Lookup
  bySlug: Lookup
}

function indexProjects(projects: readonly KnownProject[]): ProjectIndex {
  return {
    byRepository: lookup(projects, (project) => project.imageRepositories),
    byOwnerAndName: lookup(projects, (project) =>
      project.imageRepositories.flatMap((name) => ownerAndName(name) ?? []),
    ),
    byChart: lookup(projects, (project) => project.chartNames),
    byName: lookup(projects, toNames),
    bySlug: lookup(projects, (project) => [project.slug]),
  }
}

function toNames(project: KnownProject) {
  const own = [project.slug, toSlug(project.name)].filter((name) => !isGenericName(name))
  return [...own, ...project.imageRepositories.map(lastSegment).filter((name) => !isGenericImage(name))]
}

function lookup(projects: readonly KnownProject[], toKeys: (project: KnownProject) => string[]): Lookup {
  const found = new Map<string, KnownProject[]>()
  for (const project of projects) {
    for (const key of new Set(toKeys(project))) found.set(key, [...(found.get(key) ?? []), project])
  }
  return (key) => found.get(key) ?? []
}
