import type { Http } from '../http.ts'
import { authorization } from '../outcome.ts'
import type { SourceState } from '../source-state.ts'
import type { GithubRepository } from './repository.ts'

type Api = Pick<GithubRepository, 'apiUrl' | 'token'>

/** Separate from the feed's limit: an Enterprise server has both on one host. */
const budget = 'rest'

interface ApiRequest {
  /** Path below the API's base: `/advisories?…`. */
  path: string
  /** Media types to accept from GitHub. */
  accept?: string
  state?: SourceState
}

/** A request to https://docs.github.com/rest */
export function askRest(http: Http, api: Api, asked: ApiRequest) {
  const { path, accept, state = {} } = asked
  return http.ask({
    url: `${api.apiUrl}${path}`,
    headers: { accept: accept ?? 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    secretHeaders: authorization(api.token),
    types: ['application/json', ...(accept === undefined ? [] : [accept])],
    budget,
    state,
  })
}

/** Reset time of an almost used up limit, unix seconds; undefined while enough requests remain. */
export function limitNear({ apiUrl }: Pick<Api, 'apiUrl'>, http: Http) {
  const left = http.budget(apiUrl, budget)
  return left !== undefined && left.remaining <= left.limit / 20 ? left.resetAt : undefined
}
