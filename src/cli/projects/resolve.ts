import type { Client } from '../../client/client.ts'
import { ReltError } from '../../errors.ts'

/** A project's id from what people type: the id itself, or its name in any case, with spaces or hyphens. */
export async function resolveProject(client: Client, idOrName: string): Promise<string> {
  if (/^\d+$/.test(idOrName)) return idOrName
  const { items } = await client.call('listProjects', { query: { search: idOrName, per_page: 50 } })
  const wanted = nameKey(idOrName)
  const exact = items.filter((project) => nameKey(project.name) === wanted)
  const found = exact.length > 0 ? exact : items
  if (found.length === 1) return String(found[0]!.id)
  if (found.length === 0) {
    throw new ReltError('not_found', `No project is called "${idOrName}".`, { hint: 'Try: relt projects search TEXT' })
  }
  const names = found.slice(0, 6).map((project) => `${project.name} (${project.id})`)
  throw new ReltError('usage', `"${idOrName}" could be several projects.`, { hint: `Say which: ${names.join(', ')}` })
}

function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '-')
}
