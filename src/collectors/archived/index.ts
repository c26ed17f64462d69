import * as z from 'zod/mini'
import type { Source } from '../collector.ts'
import { type GithubRepository, type GithubSettings, repositoryFor } from '../github-releases/repository.ts'
import { time } from '../github-releases/schema.ts'
import type { Http } from '../http.ts'
import { authorization } from '../outcome.ts'
import { parseJson } from '../parse-json.ts'

export type RepositoryState =
  /** `since`: unix seconds, if known. */
  | { kind: 'archived'; since: number | undefined }
  | { kind: 'open' }
  /** Unknown; `kind` decides whether to retry. */
  | { kind: 'absent' | 'unreachable'; reason: string }
  | { kind: 'limited'; retryAt: number }

type Place = Pick<Source, 'url' | 'credential'>
export type AskRepositoryStates = (places: Place[]) => Promise<Map<Place, RepositoryState>>

const batchSize = 20

/** Checks whether repositories on GitHub are archived, many per request. Only GraphQL has the time, and it needs a token. */
export function createArchivedCollector(settings: GithubSettings, http: Http): AskRepositoryStates {
  return async (places) => {
    const found = places.flatMap((place) => {
      const repository = repositoryFor(place, settings)
      return repository?.token === undefined ? [] : [{ place, repository }]
    })
    const batches = Map.groupBy(
      found,
      ({ repository: { graphqlUrl, token } }, index) => `${graphqlUrl} ${token} ${Math.floor(index / batchSize)}`,
    )
    const states = new Map<Place, RepositoryState>()
    for (const batch of batches.values()) {
      const answers = await askTogether(
        http,
        batch.map(({ repository }) => repository),
      )
      for (const [index, { place }] of batch.entries()) states.set(place, answers[index]!)
    }
    return states
  }
}

/** https://docs.github.com/graphql/reference/objects#repository */
const Repository = z.object({ isArchived: z.boolean(), archivedAt: z.optional(z.nullable(time)) })

/** Parts are validated separately, so that an invalid one does not affect the others. */
const Answer = z.object({
  data: z.nullish(z.record(z.string(), z.unknown())),
  errors: z.optional(
    z.array(
      z.object({
        type: z.optional(z.string()),
        path: z.optional(z.array(z.union([z.string(), z.number()]))),
      }),
    ),
  ),
})

/** States of repositories on one server with one token. */
async function askTogether(http: Http, repositories: GithubRepository[]): Promise<RepositoryState[]> {
  const { graphqlUrl, token } = repositories[0]!
  const answer = await http.ask({
    url: graphqlUrl,
    method: 'POST',
    body: JSON.stringify(toQuery(repositories)),
    headers: { 'content-type': 'application/json' },
    secretHeaders: authorization(token),
    types: ['application/json'],
    budget: 'graphql',
  })
  const all = (failure: RepositoryState) => repositories.map(() => failure)
  if (answer.kind === 'limited') return all(answer)
  const parsed = answer.kind === 'ok' ? parseJson(answer.body, Answer) : undefined
  if (!parsed) {
    return all({ kind: 'unreachable', reason: 'reason' in answer ? answer.reason : 'the answer is not one of GraphQL' })
  }
  const { data, errors = [] } = parsed
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) {
    return all({ kind: 'limited', retryAt: http.budget(graphqlUrl, 'graphql')?.resetAt ?? 0 })
  }
  return repositories.map((_, index) => {
    const error = errors.find(({ path }) => path?.[0] === `p${index}`)
    if (error?.type === 'NOT_FOUND') return { kind: 'absent', reason: 'GitHub knows no such repository' }
    const { data: found } = Repository.safeParse(error ? undefined : data?.[`p${index}`])
    if (!found) return { kind: 'unreachable', reason: 'GraphQL answered with an error in place of the repository' }
    return found.isArchived ? { kind: 'archived', since: found.archivedAt ?? undefined } : { kind: 'open' }
  })
}

/** Names of repositories have letters, digits, dots, hyphens and underscores only. */
function toQuery(repositories: GithubRepository[]) {
  const parts = repositories.map(
    ({ owner, name }, index) => `p${index}: repository(owner: "${owner}", name: "${name}") { isArchived archivedAt }`,
  )
  return { query: `{ ${parts.join('\n')} }` }
}
