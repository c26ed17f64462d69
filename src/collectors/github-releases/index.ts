import type { CollectContext, Collector, Source } from '../collector.ts'
import type { SourceState } from '../source-state.ts'
import { createTagReader } from '../tag-reader.ts'
import { collectFeed } from './feed.ts'
import { collectByGraphql } from './graphql.ts'
import { GraphqlBatches } from './graphql-batches.ts'
import { type GithubSettings, repositoryFor } from './repository.ts'
import { collectByRest } from './rest.ts'
import { limitNear } from './rest-api.ts'

export type { GithubSettings } from './repository.ts'

/**
 * With a token: REST, whose "not modified" answers do not count towards the limit; near the limit, GraphQL, which has its
 * own limit and combines queries; after that, and without a token, the feed.
 */
export function createGithubCollector(settings: GithubSettings): Collector {
  const batches = new GraphqlBatches()
  return {
    async collect(source: Source, state: SourceState, context: CollectContext) {
      const repository = repositoryFor(source, settings)
      if (!repository) return { kind: 'absent', reason: 'the address is none of a repository on GitHub' }
      // A request for older releases reads them even if the newest are unchanged.
      const look = {
        repository,
        readTag: createTagReader(source),
        state: context.since === undefined ? state : {},
        context,
        batches,
      }
      if (repository.token === undefined) return collectFeed(look)
      const byRest = limitNear(repository, context.http) === undefined ? await collectByRest(look) : undefined
      if (byRest && byRest.kind !== 'limited') return byRest
      const byGraphql = await collectByGraphql(look, 'releases')
      if (byGraphql.kind !== 'limited') return byGraphql
      const byFeed = await collectFeed(look)
      // A private repository has no feed, so a missing feed proves nothing.
      return byFeed.kind === 'changed' || byFeed.kind === 'unchanged' ? byFeed : byGraphql
    },
  }
}
