import type { Hono } from 'hono'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { ReltError } from '../../errors.ts'
import { version } from '../../version.ts'
import { type AnswerOptions, answerRoute } from './answer-route.ts'
import { apiRoot, basePath } from './base-path.ts'
import { answerBatch } from './batch.ts'
import { type PublicAnswer, publicAnswer } from './catalog-cache.ts'
import { identify, isSame, type SignIns } from './identify.ts'
import type { Metrics } from './metrics.ts'
import { replyError } from './on-error.ts'
import { replyJson, replyPublic, replyText } from './reply.ts'
import { endSession, showSession, startSession } from './session.ts'
import type { HttpContext, HttpEnv } from './state.ts'
import type { StoreHealth } from './store-health.ts'
import { showUnsubscribe, unsubscribeMails, unsubscribePath } from './unsubscribe.ts'

/** Objects shared by request handlers. */
export interface Parts extends AnswerOptions {
  signIns: SignIns
  metrics: Metrics
  /** Access to metrics: public, or with a token; `elsewhere` if another port serves them. */
  metricsAccess: { token: string | undefined } | 'elsewhere' | undefined
  health: StoreHealth
  publicUrl: string | undefined
  isStopping: () => boolean
  /** Applies the rate limit. Throws `rate_limited`. `caller`: key to use instead of the address. */
  takeTurn: (c: HttpContext, caller?: string) => void
  /** Throws if the request's host is not the server's. */
  refuseHost: (c: HttpContext) => void
}

type App = Hono<HttpEnv>

/** Registers all routes of the server except pages. */
export function addAddresses(app: App, parts: Parts) {
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

function addRoutes(app: App, parts: Parts) {
  for (const [path, ofPath] of routesByPath()) {
    const answers: Answers = {}
    for (const [name, { method }] of ofPath) answers[method] = [name, (c) => answerRoute(c, name, parts)]
    add(app, basePath + path, answers, path)
  }
}

function addDescription(app: App) {
  let description: Promise<PublicAnswer> | undefined
  const answer = async (c: HttpContext) => {
    description ??= import('../../contract/openapi.ts').then(({ openApiDocument }) => {
      const found = publicAnswer(openApiDocument(version))
      return { ...found, body: Buffer.from(found.body as string) }
    })
    return replyPublic(c, await description)
  }
  add(app, `${basePath}/openapi.json`, { GET: ['openapi', answer] }, '/openapi.json')
}

function addSession(app: App, { signIns }: Parts) {
  const answers: Answers = {
    POST: ['startSession', (c) => startSession(c, signIns)],
    GET: ['showSession', showSession],
    DELETE: ['endSession', (c) => endSession(c, signIns)],
  }
  add(app, `${basePath}/session`, answers, '/session')
}

function addBatch(app: App) {
  const answer = async (c: HttpContext) => {
    if (c.get('state').inner) throw new ReltError('not_found', 'A batch has no batches in it.')
    return answerBatch(c, async (request, env) => app.fetch(request, env))
  }
  add(app, `${apiRoot}/batch/v1`, { POST: ['batch', answer] }, '/batch/v1')
}

function addFeeds(app: App, parts: Parts) {
  takeTurns(app, '/feeds/*', parts)
  const answer = async (c: HttpContext) => {
    const { answerFeed } = await import('../pages/feed.ts')
    return answerFeed(c, parts.service, parts.work)
  }
  add(app, '/feeds/{feed}', { GET: ['feed', answer] })
}

function addUnsubscribe(app: App, parts: Parts) {
  takeTurns(app, unsubscribePath, parts)
  add(app, unsubscribePath, {
    GET: ['showUnsubscribe', (c) => showUnsubscribe(c, parts.service)],
    POST: ['unsubscribe', (c) => unsubscribeMails(c, parts.service)],
  })
}

function takeTurns(app: App, path: string, parts: Parts) {
  app.use(path, async (c, next) => {
    await begin(c, parts)
    await next()
  })
}

function addAssistants(app: App, parts: Parts) {
  app.all('/mcp', async (c) => {
    named(c, 'mcp', '/mcp')
    await begin(c, parts, { host: true, keys: true })
    const { answerMcp } = await import('./answer-mcp.ts')
    return parts.slots.make(c, 'mcp', () => answerMcp(c, parts))
  })
}

function addAnswersAsMetrics(app: App, parts: Parts) {
  const answer = async (c: HttpContext) => {
    await begin(c, parts, { keys: true })
    const { answerMetrics } = await import('./answer-metrics.ts')
    return parts.slots.make(c, 'answers', () => answerMetrics(c, parts))
  }
  add(app, '/metrics/answers', { GET: ['answers', answer] })
}

/**
 * `host`: only for the server's own host name. `keys`: requires an API key; a cookie has no effect, because requests from
 * other sites include it.
 */
async function begin(c: HttpContext, parts: Parts, { host = false, keys = false } = {}) {
  if (parts.isStopping()) throw new ReltError('busy', 'The server is going down.')
  if (host) parts.refuseHost(c)
  if (keys && c.req.header('authorization')) await identify(c, parts.signIns)
  parts.takeTurn(c)
}

function addHealth(app: App, { health, service, isStopping }: Parts) {
  add(app, '/healthz', { GET: ['healthz', (c) => replyJson(c, { status: 'ok' })] })
  const answerReady = async (c: HttpContext) => {
    const isReady = !isStopping() && (await health.isReady(service.db))
    if (isReady) return replyJson(c, { status: 'ready' })
    return replyJson(c, { status: 'unavailable' }, { status: 503, headers: { 'Retry-After': '2' } })
  }
  add(app, '/readyz', { GET: ['readyz', answerReady] })
}

function addMetrics(app: App, metrics: Metrics, token: string | undefined) {
  const answer = async (c: HttpContext) => {
    if (token !== undefined && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) {
      throw new ReltError('unauthenticated', 'Authentication is required: the bearer token of the metrics.')
    }
    return replyText(c, await metrics.text(), { type: metrics.contentType })
  }
  add(app, '/metrics', { GET: ['metrics', answer] })
}

/** `/cluster-reports/compare` is registered before `/cluster-reports/{run_id}`, which would match its other methods. */
function routesByPath() {
  const paths = Map.groupBy(Object.entries(routes) as [RouteName, Route][], ([, { path }]) => path)
  return [...paths].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

type Answers = Record<string, [route: string, answer: (c: HttpContext) => Promise<Response> | Response]>

/** Registers the answers of an address by method, and rejects other methods. `path`: label for metrics. */
function add(app: App, address: string, answers: Answers, path = address) {
  const place = address.replace(/\{(\w+)\}/g, ':$1')
  for (const [method, [route, answer]] of Object.entries(answers)) {
    app.on(method, place, (c) => answer(named(c, route, path)))
  }
  const methods = Object.keys(answers)
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  app.all(place, (c) => {
    const error = new ReltError('method_not_allowed', `This address has no method ${c.req.method}.`)
    return replyError(named(c, 'none', path), error, { Allow: allowed.join(', ') })
  })
}

function named(c: HttpContext, route: string, path: string) {
  Object.assign(c.get('state'), { route, path })
  return c
}
