import type { Client } from '../../client/client.ts'
import type { Project } from '../../contract/received/catalog.ts'
import { ReltError } from '../../errors.ts'
import { choose } from '../choose.ts'
import type { Cli } from '../command.ts'

export type ProjectName = Pick<Project, 'id' | 'name'>

/** A project's id from what people type: the id itself, or its name in any case, with spaces or hyphens. */
export async function resolveProject(client: Client, idOrName: string): Promise<string> {
  return /^\d+$/.test(idOrName) ? idOrName : String((await findByName(client, idOrName)).id)
}

/** The same with its name, and an id is looked up, too. */
export async function getProjectName(client: Client, idOrName: string): Promise<ProjectName> {
  if (!/^\d+$/.test(idOrName)) return findByName(client, idOrName)
  return (await client.call('getProject', { params: { id: idOrName } })).product
}

/** The id of one that is chosen from the catalog. */
export function chooseProject(cli: Cli): Promise<string> {
  return choose(cli, 'project', async (search) => {
    const client = await cli.context.client()
    const { items } = await client.call('listProjects', { query: { search, per_page: 50 } })
    return items.map(({ id, name, description }) => ({ value: String(id), name, about: description }))
  })
}

async function findByName(client: Client, typed: string): Promise<ProjectName> {
  const wanted = nameKey(typed)
  const items = await searchEachWay(client, typed)
  const exact = items.filter((project) => nameKey(project.name) === wanted)
  const found = exact.length > 0 ? exact : items.filter((project) => nameKey(project.name).includes(wanted))
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    throw new ReltError('not_found', `No project is called "${typed}".`, { hint: 'Try: relt projects search TEXT' })
  }
  const names = found.slice(0, 6).map((project) => `${project.name} (${project.id})`)
  throw new ReltError('usage', `"${typed}" could be several projects.`, { hint: `Say which: ${names.join(', ')}` })
}

/** Names are written with spaces or with hyphens, and the search takes letters as they are. */
async function searchEachWay(client: Client, name: string): Promise<Project[]> {
  const spellings = new Set([name, name.replace(/[\s_]+/g, '-'), name.replace(/[-_]+/g, ' ')])
  const pages = await Promise.all(
    [...spellings].map((search) => client.call('listProjects', { query: { search, per_page: 50 } })),
  )
  return [...new Map(pages.flatMap((page) => page.items).map((project) => [project.id, project])).values()]
}

export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '-')
}
