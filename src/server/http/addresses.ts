import type { Hono } from 'hono'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { ReltError } from '../../errors.ts'
import type { Service } from '../../service/service.ts'
import { version } from '../../version.ts'
import { answerRoute } from './answer-route.ts'
import type { AnswerSlots } from './answer-slots.ts'
import { apiRoot, basePath } from './base-path.ts'
import { answerBatch } from './batch.ts'
import { type CatalogCache, type PublicAnswer, publicAnswer } from './catalog-cache.ts'
import { identify, isSame, type SignIns } from './identify.ts'
import type { Metrics } from './metrics.ts'
import { replyError } from './on-error.ts'
import { replyJson, replyPublic, replyText } from './reply.ts'
import { endSession, showSession, startSession } from './session.ts'
import type { HttpContext, HttpEnv } from './state.ts'
import type { StoreHealth } from './store-health.ts'
import { showUnsubscribe, unsubscribeMails, unsubscribePath } from './unsubscribe.ts'
import type { Work } from './work.ts'

/** Objects shared by request handlers. */
export interface Parts {
  service: Service
  signIns: SignIns
  cache: CatalogCache
  slots: AnswerSlots
  work: Work
  metrics: Metrics
  /** Access to metrics: public, or with a token; `elsewhere` if another port serves them. */
  metricsAccess: { token: string | undefined } | 'elsewhere' | undefined
  health: StoreHealth
  publicUrl: string | undefined
  clock: () => number
  isStopping: () => boolean
  /** Applies the rate limit. Throws `rate_limited`. `caller`: key to use instead of the address. */
  takeTurn: (c: HttpContext, caller?: string) => Promise<void>
  /** Throws if the request's host is not the server's. */
  refuseHost: (c: HttpContext) => void
}

type App = Hono<HttpEnv>

/** Registers all routes of the server except pages. */
export function addAddresses(app: App, parts: Parts): void {
  addRoutes(app, parts)
  addDescription(app)
  addSession(app, parts)
  addBatch(app)
  addFeeds(app, parts)
  addUnsubscribe(app, parts)
  addAssistants(app, parts)
  addAnswersAsMetrics(app, parts)
  addHealth(app, parts)
  if (parts.metricsAccess !== 'elsewhere') addMetrics(app, parts.metrics, parts.metricsAccess?.token)
}

function addRoutes(app: App, parts: Parts): void {
  for (const [path, ofPath] of routesByPath()) {
    for (const [name, { method }] of ofPath) {
      app.on(method, honoPath(path), (c) => answerRoute(named(c, name, path), name, parts))
    }
    const methods = ofPath.map(([, { method }]) => method)
    refuseOthers(app, honoPath(path), { path, methods })
  }
}

function addDescription(app: App): void {
  let description: Promise<PublicAnswer> | undefined
  app.get(`${basePath}/openapi.json`, async (c) => {
    description ??= import('../../contract/openapi.ts').then(({ openApiDocument }) => {
      const answer = publicAnswer(openApiDocument(version))
      return { ...answer, body: Buffer.from(answer.body as string) }
    })
    return replyPublic(named(c, 'openapi', '/openapi.json'), await description)
  })
  refuseOthers(app, `${basePath}/openapi.json`, { path: '/openapi.json', methods: ['GET'] })
}

function addSession(app: App, { signIns }: Parts): void {
  const session = `${basePath}/session`
  app.post(session, (c) => startSession(named(c, 'startSession', '/session'), signIns))
  app.get(session, (c) => showSession(named(c, 'showSession', '/session')))
  app.delete(session, (c) => endSession(named(c, 'endSession', '/session'), signIns))
  refuseOthers(app, session, { path: '/session', methods: ['POST', 'GET', 'DELETE'] })
}

function addBatch(app: App): void {
  app.post(`${apiRoot}/batch/v1`, async (c) => {
    named(c, 'batch', '/batch/v1')
    if (c.get('state').inner) throw new ReltError('not_found', 'A batch has no batches in it.')
    return answerBatch(c, apiRoot, async (request, env) => app.fetch(request, env))
  })
  refuseOthers(app, `${apiRoot}/batch/v1`, { path: '/batch/v1', methods: ['POST'] })
}

function addFeeds(app: App, parts: Parts): void {
  takeTurns(app, '/feeds/*', parts)
  app.get('/feeds/:file', async (c) => {
    const { answerFeed } = await import('../pages/feed.ts')
    return answerFeed(named(c, 'feed', '/feeds/{feed}'), parts.service, parts.work)
  })
  refuseOthers(app, '/feeds/:file', { path: '/feeds/{feed}', methods: ['GET'] })
}

function addUnsubscribe(app: App, parts: Parts): void {
  const path = unsubscribePath
  takeTurns(app, path, parts)
  app.get(path, (c) => showUnsubscribe(named(c, 'showUnsubscribe', path), parts.service))
  app.post(path, (c) => unsubscribeMails(named(c, 'unsubscribe', path), parts.service))
  refuseOthers(app, path, { path, methods: ['GET', 'POST'] })
}

function takeTurns(app: App, path: string, parts: Parts): void {
  app.use(path, async (c, next) => {
    await begin(c, parts)
    await next()
  })
}

function addAssistants(app: App, parts: Parts): void {
  app.all('/mcp', async (c) => {
    named(c, 'mcp', '/mcp')
    await begin(c, parts, { host: true, keys: true })
    const { answerMcp } = await import('./answer-mcp.ts')
    return parts.slots.make(c, 'mcp', () => answerMcp(c, parts))
  })
}

function addAnswersAsMetrics(app: App, parts: Parts): void {
  app.get('/metrics/answers', async (c) => {
    await begin(named(c, 'answers', '/metrics/answers'), parts, { keys: true })
    const { answerMetrics } = await import('./answer-metrics.ts')
    return parts.slots.make(c, 'answers', () => answerMetrics(c, parts))
  })
  refuseOthers(app, '/metrics/answers', { path: '/metrics/answers', methods: ['GET'] })
}

/**
 * `host`: only for the server's own host name. `keys`: requires an API key; a cookie has no effect, because requests from
 * other sites include it.
 */
async function begin(c: HttpContext, parts: Parts, { host = false, keys = false } = {}): Promise<void> {
  if (parts.isStopping()) throw new ReltError('busy', 'The server is going down.')
  if (host) parts.refuseHost(c)
  if (keys && c.req.header('authorization')) await identify(c, parts.signIns)
  await parts.takeTurn(c)
}

function addHealth(app: App, { health, service, isStopping }: Parts): void {
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
  for (const path of ['/healthz', '/readyz']) refuseOthers(app, path, { path, methods: ['GET'] })
}

function addMetrics(app: App, metrics: Metrics, token: string | undefined): void {
  app.get('/metrics', async (c) => {
    named(c, 'metrics', '/metrics')
    if (token !== undefined && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) {
      throw new ReltError('unauthenticated', 'Authentication is required: the bearer token of the metrics.')
    }
    return replyText(c, await metrics.text(), { type: metrics.contentType })
  })
  refuseOthers(app, '/metrics', { path: '/metrics', methods: ['GET'] })
}

const honoPath = (path: string) => basePath + path.replace(/\{(\w+)\}/g, ':$1')

/** `/cluster-reports/compare` is registered before `/cluster-reports/{run_id}`, which would match its other methods. */
function routesByPath(): [path: string, routes: [RouteName, Route][]][] {
  const paths = Map.groupBy(Object.entries(routes) as [RouteName, Route][], ([, { path }]) => path)
  return [...paths].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

/** Rejects methods that a path does not support. `path`: label for metrics. */
function refuseOthers(app: App, address: string, { path, methods }: { path: string; methods: string[] }): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  app.all(address, (c) => {
    const error = new ReltError('method_not_allowed', `This address has no method ${c.req.method}.`)
    return replyError(named(c, 'none', path), error, { Allow: allowed.join(', ') })
  })
}

function named(c: HttpContext, route: string, path: string): HttpContext {
  Object.assign(c.get('state'), { route, path })
  return c
}
