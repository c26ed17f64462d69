import type { CollectContext } from '../collector.ts'
import type { SourceState } from '../source-state.ts'
import type { TagReader } from '../tag-reader.ts'
import type { GraphqlBatches } from './graphql-batches.ts'
import type { GithubRepository } from './repository.ts'

/** One look at a repository. */
export interface RepositoryContext {
  repository: GithubRepository
  readTag: TagReader
  state: SourceState
  context: CollectContext
  batches: GraphqlBatches
}
