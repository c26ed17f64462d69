import type { Route } from '../../contract/route.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import type { Call } from '../../html/pages/view.ts'
import type { User } from '../../store/accounts/user.ts'
import { apiAddress } from './base-path.ts'
import type { CatalogCache } from './catalog-cache.ts'
import type { HttpContext } from './state.ts'
import type { Work } from './work.ts'

/** Calls the service like the API does: heavy routes in a worker, with the same access checks. */
export function createCall(
  c: HttpContext,
  { user, team }: { user: User; team: string | undefined },
  { work, cache }: { work: Work; cache: CatalogCache },
): Call {
  const state = c.get('state')
  const { requestId } = state
  return async (name: RouteName, input: object) => {
    const route: Route = routes[name]
    const request = { ...input, user, team, requestId, server: apiAddress(state) }
    if (work.isHeavy(route)) {
      const { bytes } = await work.heavy(state, { name, request })
      return JSON.parse(Buffer.from(bytes).toString('utf8'))
    }
    const answer = await work.here(state, name, request)
    if (route.changesCatalog) cache.clear()
    // biome-ignore lint/suspicious/noExplicitAny: the answer is that of the named route
    return answer as any
  }
}
