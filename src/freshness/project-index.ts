import type { KnownProject } from './catalog-view.ts'
import { isGenericImage, isGenericName, lastSegment, ownerAndName, toSlug } from './image-names.ts'

type Lookup = (key: string) => KnownProject[]

/** Indexes to find a project; several projects may share a key. */
export interface ProjectIndex {
  byRepository: Lookup
  /** Key without the registry: `argoproj/argocd`. */
  byOwnerAndName: Lookup
  byChart: Lookup
  /** Keys: slug, name or last part of a repository; generic names find nothing. */
  byName: Lookup
  bySlug: Lookup
}

export function indexProjects(projects: readonly KnownProject[]): ProjectIndex {
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

function toNames(project: KnownProject): string[] {
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
