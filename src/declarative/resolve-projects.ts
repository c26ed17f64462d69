import type { RouteCaller } from '../client/client.ts'
import type { WantedSubscription } from '../contract/wanted-state.ts'
import { allPages } from '../util/all-pages.ts'
import { nearest } from '../util/nearest-word.ts'
import { nameKey, namesMeant } from '../util/project-name.ts'
import type { CurrentState } from './current.ts'
import type { WantedFile } from './read-wanted.ts'

interface ResolvedProject {
  id: number
  name: string
  slug?: string | undefined
}

export type ResolvedSubscription = WantedSubscription & { productId: number; name: string }

/**
 * Resolves the project of each wanted subscription by id, slug, full name (ignoring case) or short name. Throws `usage` with
 * the lines that match no project, several projects, or the project of another line.
 */
export async function resolveProjects(client: RouteCaller, { wanted, source }: WantedFile, current: CurrentState) {
  const subscriptions = wanted.subscriptions ?? []
  const followed = indexOf(current.subscriptions.map(({ product_id, name }) => ({ id: product_id, name })))
  const isKnown = ({ project }: WantedSubscription) => followed.get(toKey(project))?.length === 1
  const catalog = subscriptions.every(isKnown)
    ? followed
    : indexOf(await allPages((page) => client.call('listProjects', { query: { page, per_page: 100 } })))
  const seen = new Set<number>()
  const resolved: ResolvedSubscription[] = []
  for (const [index, subscription] of subscriptions.entries()) {
    const { project } = subscription
    const [found, ...others] = meantIn(isKnown(subscription) ? followed : catalog, project)
    const tell = (problem: string) => source.problem(['subscriptions', index, 'project'], problem)
    if (!found) tell(noProject(String(project), catalog))
    else if (others.length > 0) tell(`several projects are named ${found.name}: use the id`)
    else if (seen.has(found.id)) tell(`${found.name} appears twice`)
    else resolved.push({ ...subscription, productId: found.id, name: found.name })
    if (found) seen.add(found.id)
  }
  source.throwProblems()
  return resolved
}

function noProject(project: string, catalog: Map<string, ResolvedProject[]>) {
  const meant = nearest(toKey(project), catalog.keys())
  return `no project is called ${JSON.stringify(project)}${meant ? `; did you mean ${catalog.get(meant)![0]!.name}?` : ''}`
}

/** Projects by name and slug, and by id. */
function indexOf(projects: ResolvedProject[]) {
  const index = Map.groupBy(projects, ({ name }) => nameKey(name))
  for (const project of projects) {
    const { slug } = project
    const called = slug === undefined ? undefined : index.get(slug)
    if (slug !== undefined && !called?.includes(project)) index.set(slug, [...(called ?? []), project])
  }
  for (const project of projects) index.set(String(project.id), [project])
  return index
}

/** A short name of several projects matches none: which of them exist may change before the file is applied again. */
function meantIn(index: Map<string, ResolvedProject[]>, project: string | number) {
  const [name, ...others] = namesMeant(String(project))
  const short = name !== undefined && others.length === 0 ? index.get(nameKey(name)) : undefined
  return index.get(toKey(project)) ?? short ?? []
}

const toKey = (project: string | number) => nameKey(String(project))
