import { toHeader } from '../http/answer.ts'
import { parseJson } from '../parse-json.ts'
import { type RepositoryClient, unreadable } from './registry.ts'
import { TagList } from './schema.ts'

const types = ['application/json']
const perPage = 1000
const maxPages = 100
const maxBytes = 4 * 1024 * 1024
const nextPage = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/i

/**
 * All tags of a repository: since they are sorted by name, a part could miss the newest. `etag` is that of a list with a
 * single page. Throws `RegistryFailure`, also for an unchanged list.
 */
export async function listTags(repository: RepositoryClient, etag?: string) {
  let tags: string[] = []
  let path = `tags/list?n=${perPage}`
  for (let page = 1; page <= maxPages; page++) {
    const state = page === 1 && etag !== undefined ? { etag } : {}
    const { body, headers, url, state: next } = await repository.ask(path, { types, state, maxBytes })
    const listed = parseJson(body, TagList)
    if (!listed) throw unreadable(repository, 'no list of tags')
    tags = tags.concat(listed)
    const link = nextPage.exec(toHeader(headers, 'link') ?? '')?.[1]
    if (link === undefined) return { tags, etag: page === 1 ? next.etag : undefined }
    const target = URL.parse(link, url)
    if (target?.origin !== new URL(url).origin) break
    path = target.href
  }
  throw unreadable(repository, 'no end of tags')
}
