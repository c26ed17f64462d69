import type { Source } from '../collector.ts'
import { GraphqlBatches } from '../github-releases/graphql-batches.ts'
import { type GithubSettings, repositoryFor } from '../github-releases/repository.ts'
import type { Http } from '../http.ts'

export type RepositoryState =
  /** `since`: unix seconds, if known. */
  | { kind: 'archived'; since: number | undefined }
  | { kind: 'open' }
  /** Unknown; `kind` decides whether to retry. */
  | { kind: 'absent' | 'unreachable'; reason: string }
  | { kind: 'limited'; retryAt: number }

export type AskRepositoryState = (source: Pick<Source, 'url' | 'credential'>) => Promise<RepositoryState>

/** Checks whether repositories on GitHub are archived, many per request. Only GraphQL has the time, and it needs a token. */
export function createArchivedCollector(settings: GithubSettings, http: Http): AskRepositoryState {
  const batches = new GraphqlBatches()
  return async (source) => {
    const repository = repositoryFor(source, settings)
    if (!repository) return { kind: 'absent', reason: 'the address is none of a repository on GitHub' }
    if (repository.token === undefined) return { kind: 'unreachable', reason: 'GraphQL needs a token' }
    const answer = await batches.ask({ repository, what: 'state', after: null, http })
    if (answer.kind !== 'page') return answer
    const { isArchived, archivedAt } = answer.page
    if (isArchived === undefined)
      return { kind: 'unreachable', reason: 'the answer does not say whether it is archived' }
    return isArchived ? { kind: 'archived', since: archivedAt ?? undefined } : { kind: 'open' }
  }
}
