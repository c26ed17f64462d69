import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { authorization } from '../outcome.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { createTagReader } from '../tag-reader.ts'
import { plainReleases } from '../tag-releases.ts'
import { findTimes, listTags } from './protocol.ts'

/** No project has more releases; requests and answers stay below their limits. */
const mostReleases = 10_000

/**
 * Releases by the tags of a git repository on any host, with the times of the new tags. The cursor has a mark of each tag
 * that was read. `webUrl`: a mirror in place of `https://github.com`.
 */
export function createGitCollector({ webUrl }: { webUrl: string }): Collector {
  return {
    async collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome> {
      const place = URL.parse(source.url)
      const path = place?.pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
      if (!place || !path || !/^https?:/.test(place.protocol))
        return { kind: 'absent', reason: 'the address is none of a git repository' }
      const { origin, hostname } = place
      const { username = 'x-access-token', secret } = source.credential ?? {}
      const { http, since } = context
      const repository = {
        http,
        // GitLab serves names with `.git` only, other hosts both.
        url: `${hostname === 'github.com' ? webUrl : origin}${path}.git`,
        secretHeaders: authorization(secret, username),
      }
      const listed = await listTags(repository)
      if (listed.kind !== 'ok') return listed
      const readTag = createTagReader(source)
      const tags = [...listed.value.keys()].filter(readTag)
      if (tags.length > mostReleases)
        return { kind: 'unreachable', reason: `it has more than ${mostReleases} releases` }
      const toMark = (tag: string) => shortHash(tag).slice(0, 8)
      const next = { cursor: tags.map(toMark).toSorted().join('') }
      const seen = new Set<string>(since === undefined ? state.cursor?.match(/.{8}/g) : [])
      const fresh = tags.filter((tag) => !seen.has(toMark(tag)))
      if (fresh.length === 0) return { kind: 'unchanged', state: next }
      const times = await findTimes(repository, [...new Set(fresh.map((tag) => listed.value.get(tag)!))])
      if (times.kind !== 'ok') return times
      const folder = hostname.startsWith('gitlab.') ? '-/tags' : 'releases/tag'
      const found = fresh.map((tag) => {
        const url = `${origin}${path}/${folder}/${encodeURIComponent(tag)}`
        return { tag, time: times.value.get(listed.value.get(tag)!), url }
      })
      const releases = plainReleases(readTag, found, context)
      return { kind: 'changed', isWhole: true, releases, state: next }
    },
  }
}
