import type { RemovedApi } from '../contract/upgrade.ts'
import type { ApiRemoval } from '../contract/upgrade-facts.ts'
import { apiText } from '../views/upgrade-text.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines } from './line.ts'

export interface ApiUsers {
  names: string[]
  /** Something uses it still; else it was used once, and nobody knows whether it is. */
  isCertain: boolean
}

/** Users of an API version, as reports name them; undefined: nobody looked. */
export type UsersOf = (api: Pick<ApiRemoval, 'group' | 'version' | 'kind'>) => ApiUsers | undefined

/** API versions that a component serves at `from` and no longer at `to`. */
export function removedBetween(facts: UpgradeFacts, component: string, from: string, to: string): ApiRemoval[] {
  return facts
    .removalsFor(component)
    .filter(
      ({ removed_in }) =>
        removed_in !== null && compareLines(from, removed_in) < 0 && compareLines(removed_in, to) <= 0,
    )
}

/** Without its users, which are those of a cluster. */
export function removedApi(api: ApiRemoval): RemovedApi {
  const { group, version, kind, removed_in, source, planned } = api
  return {
    ...{ group, version, kind, removed_in: removed_in! },
    replacement: api.replacement && apiText(api.replacement),
    source,
    ...(planned && { planned: true as const }),
    used_by: null,
  }
}

export const withUsers = (apis: readonly RemovedApi[], usersFor: UsersOf): RemovedApi[] =>
  apis.map((api) => ({ ...api, used_by: usersFor(api)?.names ?? null }))
