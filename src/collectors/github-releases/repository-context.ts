import type { CollectContext } from '../collector.ts'
import type { SourceState } from '../source-state.ts'
import type { TagReader } from '../tag-reader.ts'
import type { GraphqlBatches } from './graphql-batches.ts'
import type { GithubRepository } from './repository.ts'

/** Context for reading one repository. */
export interface RepositoryContext {
  repository: GithubRepository
  readTag: TagReader
  state: SourceState
  context: CollectContext
  batches: GraphqlBatches
}
