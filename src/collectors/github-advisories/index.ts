import type { ProjectAdvisory } from '../../security/advisory.ts'
import type { CatalogAdvisory } from '../../security/catalog-advisory.ts'
import { fixedVersions } from '../../security/fixed-versions.ts'
import type { Collector } from '../collector.ts'
import { type GithubSettings, repositoryFor } from '../github-releases/repository.ts'
import { askRest, limitNear } from '../github-releases/rest-api.ts'
import { type HttpAnswer, toHeader } from '../http/answer.ts'
import { compareCursor, toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { readAdvisory } from './read.ts'
import { RepositoryAdvisories } from './schema.ts'
import { isPublished, toCatalogAdvisory } from './to-catalog-advisory.ts'

const maxPages = 10
/** Maximum fixed versions of one advisory. */
const mostFixed = 200

/** All advisories that a project has published on GitHub, with their hash as the cursor. Only with a token. */
export function createGithubAdvisoryCollector(settings: GithubSettings): Collector {
  return {
    async collect(source, state, { http }) {
      const repository = repositoryFor(source, settings)
      if (!repository) return { kind: 'absent', reason: 'the address is none of a repository on GitHub' }
      if (repository.token === undefined) return { kind: 'absent', reason: 'no GitHub token is set' }
      const retryAt = limitNear(repository, http)
      if (retryAt !== undefined) return { kind: 'limited', retryAt }
      const advisories: ProjectAdvisory[] = []
      const affecting = new Map<string, CatalogAdvisory>()
      let first: SourceState | undefined
      let after: string | undefined
      for (let page = 1; page <= maxPages; page++) {
        const wanted = new URLSearchParams({
          state: 'published',
          sort: 'updated',
          per_page: '100',
          ...(after && { after }),
        })
        const path = `/repos/${repository.owner}/${repository.name}/security-advisories?${wanted}`
        const answer = await askRest(http, repository, { path, ...(page === 1 && { state }) })
        if (answer.kind !== 'ok') return toFailure(answer)
        const listed = parseJson(answer.body, RepositoryAdvisories)
        if (!listed) return { kind: 'unreachable', reason: 'the list of advisories is not what GitHub answers' }
        first ??= answer.state
        for (const advisory of listed.filter(isPublished)) {
          const own = toCatalogAdvisory(advisory, { repository, slug: source.slug })
          if (own) affecting.set(own.id, own)
          const fixedIn = (advisory.vulnerabilities ?? []).flatMap(({ patched_versions: text }) =>
            fixedVersions(text ?? ''),
          )
          if (fixedIn.length > 0)
            advisories.push({ ...readAdvisory(advisory), fixedIn: [...new Set(fixedIn)].slice(0, mostFixed) })
        }
        after = nextCursor(answer)
        if (after === undefined) break
      }
      const catalogAdvisories = [...affecting.values()]
      const cursor = shortHash([advisories, catalogAdvisories])
      return compareCursor({ advisories, catalogAdvisories, state: { ...first, cursor } }, state)
    },
  }
}

/** Cursor in the link to the next page, whose URL is never used. */
function nextCursor({ headers }: Extract<HttpAnswer, { kind: 'ok' }>) {
  const next = /<([^<>]{1,2000})>; rel="next"/.exec(toHeader(headers, 'link') ?? '')?.[1]
  return URL.parse(next ?? '')?.searchParams.get('after') ?? undefined
}
