import type { ProjectAdvisory } from '../../security/advisory.ts'
import type { CatalogAdvisory } from '../../security/catalog-advisory.ts'
import { fixedVersions } from '../../security/fixed-versions.ts'
import type { CollectContext, CollectOutcome, Collector } from '../collector.ts'
import { type GithubRepository, type GithubSettings, repositoryFor } from '../github-releases/repository.ts'
import { askRest, limitNear } from '../github-releases/rest-api.ts'
import { type HttpAnswer, toHeader } from '../http/answer.ts'
import { toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import { shortHash } from '../short-hash.ts'
import type { SourceState } from '../source-state.ts'
import { readAdvisory } from './read.ts'
import { RepositoryAdvisories } from './schema.ts'
import { toCatalogAdvisory } from './to-catalog-advisory.ts'

const maxPages = 10
/** Maximum fixed versions of one advisory. */
const mostFixed = 200

/** All advisories that a project has published on GitHub, with their hash as the cursor. Only with a token. */
export function createGithubAdvisoryCollector(settings: GithubSettings): Collector {
  return {
    async collect(source, state, context) {
      const repository = repositoryFor(source, settings)
      if (!repository) return { kind: 'absent', reason: 'the address is none of a repository on GitHub' }
      if (repository.token === undefined) return { kind: 'absent', reason: 'no GitHub token is set' }
      const retryAt = limitNear(repository, context.http)
      return retryAt === undefined
        ? collect({ repository, slug: source.slug }, state, context)
        : { kind: 'limited', retryAt }
    },
  }
}

async function collect(
  { repository, slug }: { repository: GithubRepository; slug: string },
  state: SourceState,
  { http }: CollectContext,
): Promise<CollectOutcome> {
  const advisories: ProjectAdvisory[] = []
  const catalogAdvisories = new Map<string, CatalogAdvisory>()
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
    for (const { vulnerabilities, ...listedAdvisory } of listed) {
      const affecting = toCatalogAdvisory({ vulnerabilities, ...listedAdvisory }, { repository, slug })
      if (affecting) catalogAdvisories.set(affecting.id, affecting)
      const fixedIn = (vulnerabilities ?? []).flatMap(({ patched_versions: text }) => fixedVersions(text ?? ''))
      if (listedAdvisory.state === 'published' && !listedAdvisory.withdrawn_at && fixedIn.length > 0) {
        advisories.push({ ...readAdvisory(listedAdvisory), fixedIn: [...new Set(fixedIn)].slice(0, mostFixed) })
      }
    }
    after = nextCursor(answer)
    if (after === undefined) break
  }
  const cursor = shortHash([advisories, [...catalogAdvisories.values()]])
  const next = { ...first, cursor }
  if (cursor === state.cursor) return { kind: 'unchanged', state: next }
  return { kind: 'changed', releases: [], advisories, catalogAdvisories: [...catalogAdvisories.values()], state: next }
}

/** Cursor in the link to the next page, whose URL is never used. */
function nextCursor({ headers }: Extract<HttpAnswer, { kind: 'ok' }>) {
  const next = /<([^<>]{1,2000})>; rel="next"/.exec(toHeader(headers, 'link') ?? '')?.[1]
  return URL.parse(next ?? '')?.searchParams.get('after') ?? undefined
}
