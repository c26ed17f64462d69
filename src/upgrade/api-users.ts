import type { ApiRemoval } from '../contract/upgrade-facts.ts'
import type { UsedApi } from '../reports/artifact.ts'
import { andMore } from '../util/words.ts'
import type { UsersOf } from './removals.ts'

/** Users of API versions in an inventory. Versions that it does not name may still be in use, so their users are unknown. */
export function usersIn(apis: readonly UsedApi[] = []): UsersOf {
  const byVersion = Map.groupBy(apis, ({ group, version }) => `${group}/${version}`)
  return (api) => {
    const found = (byVersion.get(`${api.group}/${api.version}`) ?? []).filter(({ kind }) => isKind(kind, api))
    const names = [...new Set(found.flatMap(describe))]
    // A client that once wrote a field may use another version today.
    return names.length > 0 ? { names, isCertain: found.some(({ by }) => by !== 'managedFields') } : undefined
  }
}

/** Metrics name the resource: `cronjobs` for `CronJob`. */
function isKind(name: string, { kind }: Pick<ApiRemoval, 'kind'>) {
  const [a, b] = [name.toLowerCase(), kind.toLowerCase()]
  return a === b || a === `${b}s` || a === `${b}es` || a === b.replace(/y$/, 'ies')
}

function describe({ by, users, count, kind }: UsedApi) {
  if (by === 'metrics') return ['a client that asked the API server for it']
  if (by === 'storedVersions') return users.map((name) => `the stored objects of ${name}`)
  const named = users.map((user) => `${kind} ${user}`)
  return count > users.length ? [...named, andMore(count - users.length)] : named
}
