import type { RemovedApi } from '../contract/upgrade.ts'
import type { ApiRemoval } from '../contract/upgrade-facts.ts'
import { apiText } from '../views/upgrade-text.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines } from './line.ts'

export interface ApiUsers {
  names: string[]
  /** False: it was once in use, and may no longer be. */
  isCertain: boolean
}

/** Users of an API version, as reports name them; undefined if not collected. */
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

/** Excludes its users, which depend on the cluster; `to`: the version of its component that must serve the replacement. */
export function removedApi(api: ApiRemoval, to: string, facts: UpgradeFacts): RemovedApi {
  const { group, version, kind, removed_in, source, planned } = api
  const replacement = lastReplacement(api, to, facts)
  return {
    group,
    version,
    kind,
    removed_in: removed_in!,
    replacement: replacement && apiText(replacement),
    source,
    ...(planned && { planned: true }),
    used_by: null,
  }
}

/** A replacement may itself be replaced; returns the last one that is served. */
function lastReplacement(api: ApiRemoval, to: string, facts: UpgradeFacts) {
  const known = facts.removalsFor(api.component)
  const passed = new Set<ApiRemoval>()
  let last = api
  for (;;) {
    const { replacement } = last
    const next = replacement && known.find((one) => isSameApi(one, replacement))
    const isFollowed =
      next?.replacement && !passed.has(next) && (isBy(next.removed_in, to) || isBy(next.replacement_available_in, to))
    if (!next || !isFollowed) return replacement
    passed.add(next)
    last = next
  }
}

type Api = Pick<ApiRemoval, 'group' | 'version' | 'kind'>

const isSameApi = (a: Api, b: Api) => a.group === b.group && a.version === b.version && a.kind === b.kind

const isBy = (line: string | null | undefined, to: string) => line != null && compareLines(line, to) <= 0

export const withUsers = (apis: readonly RemovedApi[], usersFor: UsersOf): RemovedApi[] =>
  apis.map((api) => ({ ...api, used_by: usersFor(api)?.names ?? null }))
