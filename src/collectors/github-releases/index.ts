import type { FoundRelease } from '../../catalog/found-release.ts'
import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { createGitCollector } from '../git/index.ts'
import { toHeader } from '../http/answer.ts'
import { toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import type { SourceState } from '../source-state.ts'
import { createTagReader } from '../tag-reader.ts'
import { foundRelease } from '../tag-releases.ts'
import { type GithubSettings, repositoryFor } from './repository.ts'
import { askRest, limitNear } from './rest-api.ts'
import { RestReleases } from './schema.ts'

export type { GithubSettings } from './repository.ts'

const perPage = 30
const maxPages = 20

/**
 * With a token: REST, whose "not modified" answers do not count towards the limit. Near the limit, without a token, and if no
 * release is one of the application, the tags of the git repository. The cursor is `releases` and the time of the newest, so
 * that a sync after a long time reads until it meets a known one; or `tags` and the cursor of git.
 */
export function createGithubCollector(settings: GithubSettings): Collector {
  const git = createGitCollector(settings)
  return {
    async collect(source: Source, state: SourceState, context: CollectContext) {
      const repository = repositoryFor(source, settings)
      if (!repository) return { kind: 'absent', reason: 'the address is none of a repository on GitHub' }
      // A request for older releases reads them even if the newest are unchanged.
      const known = context.since === undefined ? state : {}
      const [way, mark = ''] = (known.cursor ?? '').split(' ')
      if (repository.token === undefined) return collectTags({})
      const retryAt = limitNear(repository, context.http)
      const byRest = retryAt === undefined ? await collectReleases() : { kind: 'limited' as const, retryAt }
      if (byRest.kind !== 'limited') return byRest
      const byGit = await collectTags({})
      // Only the API shows private repositories, so a missing one proves nothing.
      return 'state' in byGit ? byGit : byRest

      async function collectReleases(): Promise<CollectOutcome> {
        const { owner, name } = repository!
        const readTag = createTagReader(source)
        const until = context.since ?? (way === 'releases' ? Number(mark) : 0)
        const releases: FoundRelease[] = []
        let first: SourceState | undefined
        for (let page = 1; page <= maxPages; page++) {
          const answer = await askRest(context.http, repository!, {
            path: `/repos/${owner}/${name}/releases?per_page=${perPage}${page > 1 ? `&page=${page}` : ''}`,
            accept: 'application/vnd.github.html+json',
            ...(page === 1 && { state: known }),
          })
          if (answer.kind === 'unchanged')
            return way === 'tags' ? collectTags(known) : { kind: 'unchanged', state: known }
          if (answer.kind !== 'ok') return toFailure(answer)
          const listed = parseJson(answer.body, RestReleases)?.filter((release) => !release.draft)
          if (!listed) return { kind: 'unreachable', reason: 'the list of releases is not what GitHub answers' }
          first ??= answer.state
          const tags = listed.map((release) => ({
            tag: release.tag_name,
            publishedAt: release.published_at ?? release.created_at,
            url: release.html_url,
            notes: release.body_html,
            isPrerelease: release.prerelease,
          }))
          releases.push(...tags.flatMap((tag) => foundRelease(readTag, tag)))
          const isEnough =
            until > 0 ? Math.min(...tags.map(({ publishedAt }) => publishedAt)) <= until : releases.length > 0
          if (isEnough || !toHeader(answer.headers, 'link')?.includes('rel="next"')) break
        }
        if (releases.length === 0) return collectTags(first ?? {})
        const newest = Math.max(...releases.map((release) => release.publishedAt))
        return { kind: 'changed', releases, state: { ...first, cursor: `releases ${newest}` } }
      }

      /** `state` is that of REST, which has no times of tags. */
      async function collectTags(state: SourceState): Promise<CollectOutcome> {
        const outcome = await git.collect(source, way === 'tags' ? { cursor: mark } : {}, context)
        return 'state' in outcome
          ? { ...outcome, state: { ...state, cursor: `tags ${outcome.state.cursor}` } }
          : outcome
      }
    },
  }
}
