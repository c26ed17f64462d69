import { type HttpAnswer, toHeader } from '../http/answer.ts'
import { parseJson } from '../parse-json.ts'
import type { SourceState } from '../source-state.ts'
import type { RepositoryClient } from './registry.ts'
import { isTag, TagList } from './schema.ts'

export type Tags =
  /** `etag` of a list with a single page. */
  { kind: 'ok'; tags: string[]; etag?: string } | Exclude<HttpAnswer, { kind: 'ok' }>

const perPage = 1000
const maxPages = 100
const maxBytes = 4 * 1024 * 1024

/** All tags of a repository: since they are sorted by name, a part could miss the newest. */
export async function listTags(repository: RepositoryClient, etag?: string): Promise<Tags> {
  const tags: string[] = []
  const seen = new Set<string>()
  let path = `tags/list?n=${perPage}`
  while (seen.size < maxPages && !seen.has(path)) {
    const state: SourceState = etag !== undefined && seen.size === 0 ? { etag } : {}
    const answer = await repository.ask(path, { types: ['application/json'], state, maxBytes })
    if (answer.kind !== 'ok') return answer
    const listed = parseJson(answer.body, TagList)
    if (!listed) return { kind: 'unreachable', reason: `${repository.host} answered no list of tags` }
    tags.push(...(listed.tags ?? []).filter(isTag))
    const next = nextPage(toHeader(answer.headers, 'link'), answer.url)
    if (next === undefined) {
      const { etag } = answer.state
      return { kind: 'ok', tags, ...(etag && seen.size === 0 && { etag }) }
    }
    if (next === null) break
    seen.add(path)
    path = next
  }
  return { kind: 'unreachable', reason: `${repository.host} gives no end of tags` }
}

/** Resolved against the page's URL; null if on another server. */
function nextPage(link: string | undefined, url: string) {
  const links = Array.from((link ?? '').matchAll(/<([^<>]*)>([^<]*)/g))
  const target = links.find(([, , parameters = '']) => /^\s*;[^,]*\brel="?next"?/i.test(parameters))?.[1]
  if (target === undefined) return undefined
  const next = URL.parse(target, url)
  return next?.origin === new URL(url).origin ? next.href : null
}
