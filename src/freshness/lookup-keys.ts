import { systemSlugs } from '../lifecycle/node-system.ts'
import { distributionIds } from '../lifecycle/offering.ts'
import type { Artifacts } from '../reports/artifact.ts'
import { lastSegment, toSlug, withoutMachine } from './image-names.ts'
import { type ParsedNames, parseImageRef, repositoryFor } from './image-ref.ts'
import { namesakeRepositories, upstreamRepositories } from './mirror.ts'

export interface LookupKeys {
  /** Fully qualified; includes those that an image may be a copy of. */
  repositories: string[]
  /** Charts, apps and last segments of repositories: they match a project's slug, name, charts or repositories. */
  names: string[]
}

/** Keys to look up in the catalog before `assessArtifacts`. */
export function lookupKeys({
  images,
  charts,
  apps,
  nodes = [],
  wanted = [],
}: Pick<Artifacts, 'images' | 'charts' | 'apps' | 'nodes' | 'wanted'>): LookupKeys {
  const repositories = new Set<string>()
  const names = new Set(['kubernetes', ...distributionIds, ...systemSlugs(nodes)])
  const seen = new Set<string>()
  const parsed: ParsedNames = new Map()
  for (const reference of new Set(images.map((image) => image.reference))) {
    const ref = parseImageRef(reference, parsed)
    if (!ref || seen.has(repositoryFor(ref))) continue
    seen.add(repositoryFor(ref))
    const possible = [repositoryFor(ref), ...upstreamRepositories(ref), ...namesakeRepositories(ref)]
    for (const repository of possible) repositories.add(repository)
    names.add(lastSegment(withoutMachine(ref.repository)))
  }
  for (const chart of charts) names.add(chart.name)
  for (const { chart } of wanted) if (chart !== null) names.add(chart)
  for (const app of apps) names.add(toSlug(app.name))
  names.delete('')
  return { repositories: [...repositories].sort(), names: [...names].sort() }
}
