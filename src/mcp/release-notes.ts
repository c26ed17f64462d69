import { notFound } from '../errors.ts'
import { fence } from './fence.ts'
import type { Ask } from './tool.ts'
import { findProject } from './tools/fleet.ts'

export const notesTemplate = 'relt://projects/{project}/releases/{version}/notes'

const shape = {
  type: 'object',
  properties: { version: { type: 'string' }, published_at: { type: 'string' }, notes: { type: 'string' } },
}

/** The notes of an app release, as a fenced text. Throws `not_found`. */
export async function readNotes(call: Ask, { project, version }: Record<string, string | string[]>): Promise<unknown> {
  const id = await findProject(call, decodeURIComponent(String(project)))
  const wanted = decodeURIComponent(String(version))
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page++) {
    const { items, total_pages } = await call('listReleases', {
      params: { id: String(id) },
      query: { page, per_page: 100 },
    })
    const found = items.find((release) => release.version === wanted)
    if (found)
      return fence(shape, {
        version: found.version,
        published_at: found.published_at,
        notes: found.release_notes ?? '',
      })
    pages = total_pages
  }
  throw notFound('release', wanted)
}

const maxPages = 20
