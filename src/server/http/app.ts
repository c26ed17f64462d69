import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { ReltError } from '../../errors.ts'
import type { Service } from '../../service/service.ts'
import { countSilentClusters } from '../../store/fleet/silence.ts'
import { countDeliveries } from '../../store/notifications/delivery.ts'
import type { Logger } from '../../util/log.ts'
import { version } from '../../version.ts'
import { answerKept } from './answer-kept.ts'
import { answerRoute } from './answer-route.ts'
import { AnswerSlots } from './answer-slots.ts'
import { answerBatch } from './batch.ts'
import { BodyBudget } from './body-budget.ts'
import { CatalogCache, type PublicAnswer, publicAnswer } from './catalog-cache.ts'
import { createLimits } from './create-limits.ts'
import { FailedSignIns } from './failed-sign-ins.ts'
import { type Accounts, identify, isSame } from './identify.ts'
import { Metrics } from './metrics.ts'
import { addState, createObserver, noteFailure } from './observe.ts'
import { replyError } from './on-error.ts'
import type { RateLimits } from './rate-limit.ts'
import { createRefusals } from './refusals.ts'
import { replyJson, replyPublic, replyText } from './reply.ts'
import { refuseForeignPages, refuseOtherHosts } from './same-origin.ts'
import { endSession, showSession, startSession } from './session.ts'
import type { HttpContext, HttpEnv } from './state.ts'
import { StoreHealth } from './store-health.ts'
import { createProxyWatch, type TrustedProxies } from './trusted-proxies.ts'
import { showUnsubscribe, unsubscribeMails, unsubscribePath } from './unsubscribe.ts'
import { type Heavy, Work } from './work.ts'

const apiRoot = '/api'
export const basePath = `${apiRoot}/relt/v1`

export interface HttpOptions {
  accounts: Accounts
  rateLimits: RateLimits
  logger: Logger
  trusted?: TrustedProxies | undefined
  /** Address for people, see `readPublicUrl`. Pages and sessions are then on its host only. */
  publicUrl?: string | undefined
  /** Failed sign-ins of an address or account; 0 for no limit. */
  failuresPerMinute?: number
  /** Milliseconds, for the rate limits. */
  clock?: () => number
  /** Slows a sign-in down. */
  wait?: (ms: number) => Promise<unknown>
  bodyBudget?: BodyBudget
  /** Access to the metrics: public, or with a token; `elsewhere` when another port serves them. */
  metrics?: { token: string | undefined } | 'elsewhere'
  /** Answers heavy requests in place of this thread. */
  heavy?: Heavy
  /** Figures of clusters may have changed. */
  renewFigures?: () => void
  /** False: only the interface, no web pages. */
  pages?: boolean
  /** While it is true, new requests are refused. */
  isStopping?: () => boolean
}

export interface HttpApp {
  app: Hono<HttpEnv>
  /** Asked first about what comes from a socket: false leaves it to the application. */
  answerKept: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
  metrics: Metrics
  /** Requests in a minute, from now on. */
  setRateLimits: (limits: RateLimits) => void
}

/** The service over HTTP: each route of the table, sessions, batches, and what operators look at. */
export function createHttpApp(service: Service, options: HttpOptions): HttpApp {
  const { accounts, rateLimits, logger, trusted, publicUrl, clock = Date.now, isStopping = () => false } = options
  const { perUser, perAddress, failures } = createLimits(service.db, rateLimits, options.failuresPerMinute)
  const signIns = {
    service,
    accounts,
    failures: new FailedSignIns({ clock, wait: options.wait }, failures),
    refuse: createRefusals(service, { clock, logger }),
  }
  const cache = new CatalogCache()
  const slots = new AnswerSlots()
  const metrics = new Metrics(
    () => countSilentClusters(service.db),
    async () => {
      const now = service.now()
      const { counts, oldestDue } = await countDeliveries(service.db, now)
      return { counts, oldestSeconds: oldestDue === null ? 0 : now - oldestDue }
    },
  )
  const observe = createObserver(metrics, logger)
  const health = new StoreHealth()
  const app = new Hono<HttpEnv>()

  const watchProxy = createProxyWatch(trusted, logger)
  addState(app, {
    logger,
    trusted,
    publicUrl,
    watchProxy,
    isStopping,
    bodyBudget: options.bodyBudget ?? new BodyBudget(),
    charge: ({ user, address }, tokens) => {
      if (user) perUser.charge(String(user.id), tokens, clock())
      else perAddress.charge(address, tokens, clock())
    },
    observe,
    health,
  })
  /** Throws `rate_limited`. */
  const takeTurn = async (c: HttpContext, caller?: string) => {
    const { user, address } = c.get('state')
    const [limiter, key] = user ? [perUser, String(user.id)] : [perAddress, caller ?? address]
    const taken = limiter.take(key, clock())
    if (taken === true || (await taken)) return
    const retryAfter = limiter.secondsUntilNext(key, clock())
    throw new ReltError('rate_limited', `Too many requests. Retry in ${retryAfter} s.`, { retryAfter })
  }
  const refuseHost = (c: HttpContext) => refuseOtherHosts(c, { publicUrl, trusted })
  const answerUnknown = (c: HttpContext) =>
    replyError(c, new ReltError('not_found', 'No route was found for this address and method.'))
  const { pages = true } = options
  const work = new Work(service, options)
  app.notFound(async (c) => {
    if (!pages || c.req.path.startsWith(`${apiRoot}/`)) return answerUnknown(c)
    // Most requests are for the interface, so its start does not wait for the pages.
    const { answerPage } = await import('../pages/answer-page.ts')
    const answering = { service, signIns, cache, slots, work, isStopping, takeTurn, answerUnknown, refuseHost }
    return answerPage(c, { ...answering, noteFailure: (error) => noteFailure(c, error, { logger, health }) })
  })

  app.use(`${apiRoot}/*`, async (c, next) => {
    const state = c.get('state')
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    if (!state.inner) {
      refuseForeignPages(c)
      await identify(c, signIns)
      if (isOfSessions(c)) refuseHost(c)
    }
    if (state.inner === 'dry') return next()
    await takeTurn(c)
    await next()
  })

  for (const [path, ofPath] of routesByPath()) {
    for (const [name, { method }] of ofPath) {
      app.on(method, honoPath(path), (c) => {
        named(c, name, path)
        return answerRoute(c, name, { service, basePath, cache, slots, clock, work })
      })
    }
    app.all(honoPath(path), (c) =>
      refuseMethod(
        named(c, 'none', path),
        ofPath.map(([, { method }]) => method),
      ),
    )
  }
  let description: Promise<PublicAnswer> | undefined
  app.get(`${basePath}/openapi.json`, async (c) => {
    description ??= import('../../contract/openapi.ts').then(({ openApiDocument }) => {
      const answer = publicAnswer(openApiDocument(version))
      return { ...answer, body: Buffer.from(answer.body as string) }
    })
    return replyPublic(named(c, 'openapi', '/openapi.json'), await description)
  })
  const session = `${basePath}/session`
  app.post(session, (c) => startSession(named(c, 'startSession', '/session'), signIns))
  app.get(session, (c) => showSession(named(c, 'showSession', '/session')))
  app.delete(session, (c) => endSession(named(c, 'endSession', '/session'), signIns))
  app.all(session, (c) => refuseMethod(named(c, 'none', '/session'), ['POST', 'GET', 'DELETE']))
  app.all(`${basePath}/openapi.json`, (c) => refuseMethod(named(c, 'none', '/openapi.json'), ['GET']))

  app.post(`${apiRoot}/batch/v1`, async (c) => {
    named(c, 'batch', '/batch/v1')
    if (c.get('state').inner) throw new ReltError('not_found', 'A batch has no batches in it.')
    return answerBatch(c, apiRoot, async (request, env) => app.fetch(request, env))
  })
  app.all(`${apiRoot}/batch/v1`, (c) => refuseMethod(named(c, 'none', '/batch/v1'), ['POST']))
  for (const path of [unsubscribePath, '/feeds/*']) {
    app.use(path, async (c, next) => {
      if (isStopping()) throw new ReltError('busy', 'The server is going down.')
      await takeTurn(c)
      await next()
    })
  }
  app.get('/feeds/:file', async (c) => {
    const { answerFeed } = await import('../pages/feed.ts')
    return answerFeed(named(c, 'feed', '/feeds/{feed}'), service, work)
  })
  app.all('/feeds/:file', (c) => refuseMethod(named(c, 'none', '/feeds/{feed}'), ['GET']))
  app.get(unsubscribePath, (c) => showUnsubscribe(named(c, 'showUnsubscribe', unsubscribePath), service))
  app.post(unsubscribePath, (c) => unsubscribeMails(named(c, 'unsubscribe', unsubscribePath), service))
  app.all(unsubscribePath, (c) => refuseMethod(named(c, 'none', unsubscribePath), ['GET', 'POST']))
  app.all('/mcp', async (c) => {
    named(c, 'mcp', '/mcp')
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    refuseHost(c)
    // A cookie grants nothing here: another page could make a browser send it.
    if (c.req.header('authorization')) await identify(c, signIns)
    await takeTurn(c)
    const { answerMcp } = await import('./answer-mcp.ts')
    return slots.make(c, 'mcp', () => answerMcp(c, { service, work, cache, publicUrl }))
  })
  app.get('/metrics/answers', async (c) => {
    named(c, 'answers', '/metrics/answers')
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    // A cookie grants nothing here: no browser asks.
    if (c.req.header('authorization')) await identify(c, signIns)
    await takeTurn(c)
    const { answerMetrics } = await import('./answer-metrics.ts')
    return slots.make(c, 'answers', () => answerMetrics(c, { work, cache }))
  })
  app.all('/metrics/answers', (c) => refuseMethod(named(c, 'none', '/metrics/answers'), ['GET']))
  addHealth(app, health, { service, isStopping })
  app.get('/metrics', async (c) => {
    if (options.metrics === 'elsewhere') return c.notFound()
    named(c, 'metrics', '/metrics')
    const token = options.metrics?.token
    if (token !== undefined && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) {
      throw new ReltError('unauthenticated', 'Authentication is required: the bearer token of the metrics.')
    }
    return replyText(c, await metrics.text(), { type: metrics.contentType })
  })
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    if (path === '/metrics' && options.metrics === 'elsewhere') continue
    app.all(path, (c) => refuseMethod(named(c, 'none', path), ['GET']))
  }
  const keeping = { cache, perAddress, trusted, watchProxy, isStopping, clock, observe }
  const setRateLimits = (limits: RateLimits) => {
    perUser.setPerMinute(limits.user)
    perAddress.setPerMinute(limits.address)
  }
  return { app, metrics, setRateLimits, answerKept: (incoming, outgoing) => answerKept(incoming, outgoing, keeping) }
}

/** With a key, a request may use any name of the server: a browser sends none by itself. */
const isOfSessions = (c: HttpContext): boolean =>
  c.req.path === `${basePath}/session` || c.get('state').triedWith === 'session'

const honoPath = (path: string) => basePath + path.replace(/\{(\w+)\}/g, ':$1')

/** `/cluster-reports/compare` comes before `/cluster-reports/{run_id}`, which would take its other methods. */
function routesByPath(): [path: string, routes: [RouteName, Route][]][] {
  const paths = Map.groupBy(Object.entries(routes) as [RouteName, Route][], ([, { path }]) => path)
  return [...paths].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

function refuseMethod(c: HttpContext, methods: string[]): Promise<Response> {
  const error = new ReltError('method_not_allowed', `This address has no method ${c.req.method}.`)
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return replyError(c, error, { Allow: allowed.join(', ') })
}

function addHealth(
  app: Hono<HttpEnv>,
  health: StoreHealth,
  { service, isStopping }: { service: Service; isStopping: () => boolean },
): void {
  app.get('/healthz', (c) => replyJson(named(c, 'healthz', '/healthz'), { status: 'ok' }))
  app.get('/readyz', async (c) => {
    named(c, 'readyz', '/readyz')
    const ready = !isStopping() && (await health.isReady(service.db))
    return replyJson(
      c,
      { status: ready ? 'ready' : 'unavailable' },
      ready ? {} : { status: 503, headers: { 'Retry-After': '2' } },
    )
  })
}

function named(c: HttpContext, route: string, path: string): HttpContext {
  Object.assign(c.get('state'), { route, path })
  return c
}
