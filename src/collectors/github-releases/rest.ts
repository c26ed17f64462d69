import type { FoundRelease } from '../../catalog/found-release.ts'
import type { CollectContext, CollectOutcome, Collector, Source } from '../collector.ts'
import { toHeader } from '../http/answer.ts'
import { toFailure } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'
import type { SourceState } from '../source-state.ts'
import type { TagReader } from '../tag-reader.ts'
import type { GithubRepository } from './repository.ts'
import { askRest } from './rest-api.ts'
import { RestReleases } from './schema.ts'
import { foundRelease } from './to-release.ts'

/** Context for reading one repository. */
interface RepositoryContext {
  repository: GithubRepository
  source: Source
  readTag: TagReader
  state: SourceState
  context: CollectContext
  /** Reads the tags. */
  git: Collector
}

const perPage = 30
const maxPages = 20

/**
 * Releases, or tags if no release is one of the application. The cursor is `releases` and the time of the newest, so that a
 * sync after a long time reads until it meets a known one; or `tags` and the cursor of git.
 */
export async function collectByRest(look: RepositoryContext): Promise<CollectOutcome> {
  const { repository, context, state, readTag } = look
  const { owner, name } = repository
  const [way, newestKnown] = (state.cursor ?? '').split(' ')
  const until = context.since ?? (way === 'releases' ? Number(newestKnown) : 0)
  const releases: FoundRelease[] = []
  let first: SourceState | undefined
  for (let page = 1; page <= maxPages; page++) {
    const path = `/repos/${owner}/${name}/releases?per_page=${perPage}${page > 1 ? `&page=${page}` : ''}`
    const known = page === 1 ? { state } : {}
    const answer = await askRest(context.http, repository, {
      path,
      accept: 'application/vnd.github.html+json',
      ...known,
    })
    if (answer.kind === 'unchanged') {
      return way === 'tags' ? collectTags(look, state) : { kind: 'unchanged', state }
    }
    if (answer.kind !== 'ok') return toFailure(answer)
    const listed = parseJson(answer.body, RestReleases)?.filter((release) => !release.draft)
    if (!listed) return { kind: 'unreachable', reason: 'the list of releases is not what GitHub answers' }
    first ??= answer.state
    for (const release of listed) releases.push(...readRelease(release, readTag))
    const isEnough = until > 0 ? Math.min(...listed.map(timeOf)) <= until : releases.length > 0
    if (isEnough || !toHeader(answer.headers, 'link')?.includes('rel="next"')) break
  }
  if (releases.length === 0) return collectTags(look, first ?? {})
  const newest = Math.max(...releases.map((release) => release.publishedAt))
  return { kind: 'changed', releases, state: { ...first, cursor: `releases ${newest}` } }
}

/** REST has no times of tags, so they come from the repository itself. `state` is that of REST. */
export async function collectTags(look: RepositoryContext, state: SourceState): Promise<CollectOutcome> {
  const { git, source, context } = look
  const [way, marks = ''] = (look.state.cursor ?? '').split(' ')
  const outcome = await git.collect(source, way === 'tags' ? { cursor: marks } : {}, context)
  return 'state' in outcome ? { ...outcome, state: { ...state, cursor: `tags ${outcome.state.cursor}` } } : outcome
}

type RestListItem = (typeof RestReleases)['_zod']['output'][number]

const timeOf = (release: RestListItem) => release.published_at ?? release.created_at

function readRelease(release: RestListItem, readTag: TagReader) {
  return foundRelease(readTag, {
    tag: release.tag_name,
    publishedAt: timeOf(release),
    url: release.html_url,
    notes: release.body_html,
    isPrerelease: release.prerelease,
  })
}
