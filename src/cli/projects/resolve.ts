import type { Client } from '../../client/client.ts'
import type { Project } from '../../contract/project.ts'
import { ReltError } from '../../errors.ts'

/** A project's id from what people type: the id itself, or its name in any case, with spaces or hyphens. */
export async function resolveProject(client: Client, idOrName: string): Promise<string> {
  if (/^\d+$/.test(idOrName)) return idOrName
  const wanted = nameKey(idOrName)
  const items = await searchEachWay(client, idOrName)
  const exact = items.filter((project) => nameKey(project.name) === wanted)
  const found = exact.length > 0 ? exact : items.filter((project) => nameKey(project.name).includes(wanted))
  if (found.length === 1) return String(found[0]!.id)
  if (found.length === 0) {
    throw new ReltError('not_found', `No project is called "${idOrName}".`, { hint: 'Try: relt projects search TEXT' })
  }
  const names = found.slice(0, 6).map((project) => `${project.name} (${project.id})`)
  throw new ReltError('usage', `"${idOrName}" could be several projects.`, { hint: `Say which: ${names.join(', ')}` })
}

/** Names are written with spaces or with hyphens, and the search takes letters as they are. */
async function searchEachWay(client: Client, name: string): Promise<Project[]> {
  const spellings = new Set([name, name.replace(/[\s_]+/g, '-'), name.replace(/[-_]+/g, ' ')])
  const pages = await Promise.all(
    [...spellings].map((search) => client.call('listProjects', { query: { search, per_page: 50 } })),
  )
  return [...new Map(pages.flatMap((page) => page.items).map((project) => [project.id, project])).values()]
}

function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '-')
}
