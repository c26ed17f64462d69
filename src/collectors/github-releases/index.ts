import type { CollectContext, Collector, Source } from '../collector.ts'
import { createGitCollector } from '../git/index.ts'
import type { SourceState } from '../source-state.ts'
import { createTagReader } from '../tag-reader.ts'
import { type GithubSettings, repositoryFor } from './repository.ts'
import { collectByRest, collectTags } from './rest.ts'
import { limitNear } from './rest-api.ts'

export type { GithubSettings } from './repository.ts'

/**
 * With a token: REST, whose "not modified" answers do not count towards the limit. Near the limit, and without a token, the
 * tags of the git repository.
 */
export function createGithubCollector(settings: GithubSettings): Collector {
  const git = createGitCollector(settings)
  return {
    async collect(source: Source, state: SourceState, context: CollectContext) {
      const repository = repositoryFor(source, settings)
      if (!repository) return { kind: 'absent', reason: 'the address is none of a repository on GitHub' }
      // A request for older releases reads them even if the newest are unchanged.
      const known = context.since === undefined ? state : {}
      const look = { repository, source, readTag: createTagReader(source), state: known, context, git }
      if (repository.token === undefined) return collectTags(look, {})
      const retryAt = limitNear(repository, context.http)
      const byRest = retryAt === undefined ? await collectByRest(look) : { kind: 'limited' as const, retryAt }
      if (byRest.kind !== 'limited') return byRest
      const byGit = await collectTags(look, {})
      // Only the API shows private repositories, so a missing one proves nothing.
      return 'state' in byGit ? byGit : byRest
    },
  }
}
