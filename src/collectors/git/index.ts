import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { foundRelease } from '../github-releases/to-release.ts'
import { authorization } from '../outcome.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { createTagReader } from '../tag-reader.ts'
import { findTimes, listTags } from './protocol.ts'

/** No project has more releases; requests and answers stay below their limits. */
const mostReleases = 10_000
/** Projects can have hundreds, and few are of interest later. */
const mostPrereleases = 10

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
      const { http, now, since } = context
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
      const found = fresh.flatMap((tag) => {
        const time = times.value.get(listed.value.get(tag)!)
        if (time === undefined) return []
        // No release is of the future.
        const publishedAt = Math.min(time, now())
        const url = `${origin}${path}/${folder}/${encodeURIComponent(tag)}`
        return foundRelease(readTag, { tag, publishedAt, url, isRough: true })
      })
      let prereleases = 0
      const releases = found
        .toSorted((a, b) => b.publishedAt - a.publishedAt)
        .filter(({ type, publishedAt }) => {
          if (since !== undefined) return publishedAt >= since
          return type !== 'pre' || ++prereleases <= mostPrereleases
        })
      return { kind: 'changed', isWhole: true, releases, state: next }
    },
  }
}
