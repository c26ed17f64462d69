import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { ReltError } from '../../errors.ts'
import { findMeta } from '../../store/meta.ts'
import { version } from '../../version.ts'
import type { Service } from '../app.ts'
import { callerAddress, isSecure } from './address.ts'
import { answerRoute } from './answer-route.ts'
import { answerBatch } from './batch.ts'
import { BodyBudget, type HeldBytes } from './body-budget.ts'
import { CatalogCache, publicAnswer } from './catalog-cache.ts'
import { type Accounts, failuresPerMinute, identify } from './identify.ts'
import type { Logger } from './log.ts'
import { Metrics } from './metrics.ts'
import { replyError } from './on-error.ts'
import { RateLimiter, type RateLimits } from './rate-limit.ts'
import { replyJson, replyPublic, replyText } from './reply.ts'
import { endSession, showSession, startSession } from './session.ts'
import type { Bindings, HttpContext, HttpEnv, State } from './state.ts'

export const apiRoot = '/api'
export const basePath = `${apiRoot}/relt/v1`

export interface HttpOptions {
  accounts: Accounts
  rateLimits: RateLimits
  logger: Logger
  trustProxy?: boolean
  /** Milliseconds, for the rate limits. */
  clock?: () => number
  bodyBudget?: BodyBudget
  /** While it is true, new requests are refused. */
  isStopping?: () => boolean
}

/** The service over HTTP: each route of the table, sessions, batches, and what operators look at. */
export function createHttpApp(service: Service, options: HttpOptions): Hono<HttpEnv> {
  const { accounts, rateLimits, clock = Date.now, isStopping = () => false } = options
  const failures = new RateLimiter(failuresPerMinute)
  const perUser = new RateLimiter(rateLimits.user)
  const perAddress = new RateLimiter(rateLimits.address)
  const sessions = { service, accounts, failures, clock }
  const cache = new CatalogCache()
  const app = new Hono<HttpEnv>()

  observe(app, options)
  app.notFound((c) => replyError(c, new ReltError('not_found', 'No route was found for this address and method.')))

  app.use(`${apiRoot}/*`, async (c, next) => {
    const state = c.get('state')
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    if (!state.inner) await identify(c, sessions)
    if (state.inner === 'dry') return next()
    const { user, address } = state
    const allowed = user ? perUser.take(String(user.id), clock()) : perAddress.take(address, clock())
    if (!allowed) throw new ReltError('rate_limited', 'Too many requests. Wait a minute.')
    await next()
  })

  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const path = basePath + route.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(route.method, path, (c) => {
      named(c, name, route.path)
      return answerRoute(c, name, { service, cache, clock })
    })
  }
  app.get(`${basePath}/openapi.json`, async (c) => {
    named(c, 'openapi', '/openapi.json')
    return replyPublic(c, publicAnswer((await import('../../contract/openapi.ts')).openApiDocument(version)))
  })
  const session = `${basePath}/session`
  app.post(session, (c) => startSession(named(c, 'startSession', '/session'), sessions))
  app.get(session, (c) => showSession(named(c, 'showSession', '/session')))
  app.delete(session, (c) => endSession(named(c, 'endSession', '/session'), sessions))

  app.post(`${apiRoot}/batch/v1`, async (c) => {
    named(c, 'batch', '/batch/v1')
    if (c.get('state').inner) throw new ReltError('not_found', 'A batch has no batches in it.')
    return answerBatch(c, apiRoot, async (request, env) => app.fetch(request, env))
  })
  addHealth(app, service, isStopping)
  return app
}

/** Asked every few seconds by whoever watches the server. */
const probes = new Set(['healthz', 'readyz', 'metrics'])

/** Each request gets its state, and each answer is counted and logged. */
function observe(
  app: Hono<HttpEnv>,
  { logger, trustProxy = false, isStopping, bodyBudget = new BodyBudget() }: HttpOptions,
): void {
  const metrics = new Metrics()
  app.use(async (c, next) => {
    const state = newState(c, { trustProxy, held: bodyBudget.open() })
    state.closing = isStopping?.() === true
    c.set('state', state)
    const start = performance.now()
    await next()
    state.held.release()
    const ms = performance.now() - start
    if (state.inner === 'dry') return
    const { method } = c.req
    const { status } = c.res
    metrics.observe({ route: state.route, method, status, seconds: ms / 1000 })
    const { requestId: request_id, path, user } = state
    const line = { request_id, method, path, status, ms: Math.round(ms * 10) / 10, user_id: user?.id }
    if (probes.has(state.route)) logger.debug(line)
    else logger.info(line)
  })
  app.onError((error, c) => {
    const { requestId } = c.get('state')
    if (!(error instanceof ReltError) || ['internal', 'key_unavailable', 'store_unusable'].includes(error.code)) {
      logger.error({ request_id: requestId, err: error }, 'request failed')
    }
    return replyError(c, error)
  })
  app.get('/metrics', async (c) => {
    named(c, 'metrics', '/metrics')
    return replyText(c, await metrics.text(), { type: metrics.contentType })
  })
}

function addHealth(app: Hono<HttpEnv>, { db }: Service, isStopping: () => boolean): void {
  app.get('/healthz', (c) => replyJson(named(c, 'healthz', '/healthz'), { status: 'ok' }))
  app.get('/readyz', async (c) => {
    named(c, 'readyz', '/readyz')
    const ready =
      !isStopping() &&
      (await findMeta(db, 'catalog_date').then(
        () => true,
        () => false,
      ))
    return replyJson(c, { status: ready ? 'ready' : 'unavailable' }, { status: ready ? 200 : 503 })
  })
}

function newState(c: HttpContext, { trustProxy, held }: { trustProxy: boolean; held: HeldBytes }): State {
  const { incoming, outer } = (c.env ?? {}) as Bindings
  if (outer) return { ...outer.state, route: 'none', path: undefined, inner: outer.inner, held }
  return {
    requestId: requestIdOf(c.req.header('x-request-id')),
    address: callerAddress(incoming, trustProxy),
    secure: isSecure(incoming, trustProxy),
    route: 'none',
    path: undefined,
    user: undefined,
    triedWith: undefined,
    session: undefined,
    inner: undefined,
    held,
    closing: false,
  }
}

/** A caller may bring its own id, to find its request in our log. */
export function requestIdOf(header: string | undefined): string {
  return header && /^[A-Za-z0-9-]{8,64}$/.test(header) ? header : randomUUID()
}

function named(c: HttpContext, route: string, path: string): HttpContext {
  Object.assign(c.get('state'), { route, path })
  return c
}
