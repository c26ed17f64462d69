import type { Client } from '../client/client.ts'
import type { WantedSubscription } from '../contract/wanted-state.ts'
import { nearest } from '../util/nearest.ts'
import type { Current } from './current.ts'
import type { WantedFile } from './read-wanted.ts'

export interface Project {
  id: number
  name: string
}

export type ResolvedSubscription = WantedSubscription & { productId: number; name: string }

/**
 * Which project each wanted subscription means: its id or whole name, in any case, with spaces or hyphens. Throws `usage`
 * with the lines of those that mean none, several, or the same as another.
 */
export async function resolveProjects(
  client: Client,
  { wanted, source }: WantedFile,
  current: Current,
): Promise<ResolvedSubscription[]> {
  const subscriptions = wanted.subscriptions ?? []
  const followed = indexOf(current.subscriptions.map(({ product_id, name }) => ({ id: product_id, name })))
  const isKnown = ({ project }: WantedSubscription) => followed.get(nameKey(project))?.length === 1
  const catalog = subscriptions.every(isKnown) ? followed : indexOf(await listCatalog(client))
  const seen = new Set<number>()
  const resolved: ResolvedSubscription[] = []
  for (const [index, subscription] of subscriptions.entries()) {
    const { project } = subscription
    const [found, ...others] = (isKnown(subscription) ? followed : catalog).get(nameKey(project)) ?? []
    const tell = (problem: string) => source.problem(['subscriptions', index, 'project'], problem)
    if (!found) tell(noProject(String(project), catalog))
    else if (others.length > 0) tell(`several projects are called ${found.name}: give the id`)
    else if (seen.has(found.id)) tell(`${found.name} stands here twice`)
    else resolved.push({ ...subscription, productId: found.id, name: found.name })
    if (found) seen.add(found.id)
  }
  source.throwProblems()
  return resolved
}

function noProject(project: string, catalog: Map<string, Project[]>): string {
  const meant = nearest(nameKey(project), catalog.keys())
  return `no project is called ${JSON.stringify(project)}${meant ? `; did you mean ${catalog.get(meant)![0]!.name}?` : ''}`
}

/** By name and by id. */
function indexOf(projects: Project[]): Map<string, Project[]> {
  const index = Map.groupBy(projects, ({ name }) => nameKey(name))
  for (const project of projects) index.set(String(project.id), [project])
  return index
}

async function listCatalog(client: Client): Promise<Project[]> {
  const projects: Project[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const found = await client.call('listProjects', { query: { page, per_page: 100 } })
    projects.push(...found.items)
    pages = Math.min(found.total_pages, 1000)
  }
  return projects
}

function nameKey(name: string | number): string {
  return String(name)
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}
