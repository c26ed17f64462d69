import type { Env } from '../config/env.ts'
import { placeOfStore, requireStoreAt } from '../config/store-place.ts'
import type { RouteAnswer } from '../contract/routes.ts'
import { ReltError } from '../errors.ts'
import { invoke } from '../service/invoke.ts'
import { openService, type Service } from '../service/service.ts'
import { getLocalUser, getUser, type User } from '../store/accounts/user.ts'
import { JsonText, parseTexts } from '../util/json-text.ts'
import type { Client, RawRequest } from './client.ts'
import { concealAnswer } from './conceal-answer.ts'

/**
 * The service in this process, on the store that `data` names, else that of the environment. `now` gives unix seconds. It
 * acts as the local user, or as the user of `as`. Throws `usage` if `data` has no store.
 */
export async function createLocalClient(options: {
  env: Env
  now: () => number
  data?: string | undefined
  as?: string | undefined
}): Promise<Client> {
  const { now, as } = options
  requireStoreAt(options.env, options.data)
  const service = await openService({ ...placeOfStore(options.env, options.data), now })
  const user = await findCaller(service, as).catch(async (error) => {
    await service.db.destroy()
    throw error
  })
  return {
    async call(name, input) {
      return concealAnswer(name, parseTexts(await invoke(service, name, { ...input, user })))
    },
    async request(raw) {
      const { name, ...request } = await readRequest(raw)
      return parseTexts(await invoke(service, name, { ...request, user }))
    },
    async download(name, input) {
      const { report, ...answer } = (await invoke(service, name, { ...input, user })) as { report?: unknown }
      return {
        answer: await concealAnswer(name, answer as RouteAnswer<typeof name>),
        report: report instanceof JsonText ? report.bytes : undefined,
      }
    },
    close: () => service.db.destroy(),
  }
}

/** Throws `not_found`. */
async function findCaller({ db, now }: Service, login: string | undefined): Promise<User> {
  const operator = await getLocalUser(db, now())
  return login === undefined ? operator : { ...(await getUser(db, login)), operator }
}

/** Converts a request by path to a call of its route. */
async function readRequest({ method, path, query, body }: RawRequest) {
  // Loaded on demand, because they include the schemas of all routes, which few commands need.
  const [{ matchRoute }, { parseBody, readUpload }] = await Promise.all([
    import('../contract/match-route.ts'),
    import('../service/upload-body.ts'),
  ])
  const url = new URL(path, 'local://store')
  const match = matchRoute(method, url.pathname)
  if (!match) throw new ReltError('not_found', 'No route was found for this address and method.')
  const { name, route, params } = match
  const given = route.carriesReport ? readUpload(body) : { body: body && parseBody(body) }
  return { name, params, query: { ...Object.fromEntries(url.searchParams), ...query }, ...given }
}
