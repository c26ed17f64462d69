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
    const answers = ofPath.map(([name, { method }]): [string, Answer] => [
      method,
      [name, (c) => answerRoute(c, name, parts)],
    ])
    serve(app, basePath + path.replace(/\{(\w+)\}/g, ':$1'), Object.fromEntries(answers), path)
  }
}

function addDescription(app: App): void {
  let description: Promise<PublicAnswer> | undefined
  const answer = async (c: HttpContext) => {
    description ??= import('../../contract/openapi.ts').then(({ openApiDocument }) => {
      const answer = publicAnswer(openApiDocument(version))
      return { ...answer, body: Buffer.from(answer.body as string) }
    })
    return replyPublic(c, await description)
  }
  serve(app, `${basePath}/openapi.json`, { GET: ['openapi', answer] }, '/openapi.json')
}

function addSession(app: App, { signIns }: Parts): void {
  const answers: Answers = {
    POST: ['startSession', (c) => startSession(c, signIns)],
    GET: ['showSession', showSession],
    DELETE: ['endSession', (c) => endSession(c, signIns)],
  }
  serve(app, `${basePath}/session`, answers, '/session')
}

function addBatch(app: App): void {
  const answer = async (c: HttpContext) => {
    if (c.get('state').inner) throw new ReltError('not_found', 'A batch has no batches in it.')
    return answerBatch(c, async (request, env) => app.fetch(request, env))
  }
  serve(app, `${apiRoot}/batch/v1`, { POST: ['batch', answer] }, '/batch/v1')
}

function addFeeds(app: App, parts: Parts): void {
  takeTurns(app, '/feeds/*', parts)
  const answer = async (c: HttpContext) => {
    const { answerFeed } = await import('../pages/feed.ts')
    return answerFeed(c, parts.service, parts.work)
  }
  serve(app, '/feeds/:file', { GET: ['feed', answer] }, '/feeds/{feed}')
}

function addUnsubscribe(app: App, parts: Parts): void {
  takeTurns(app, unsubscribePath, parts)
  serve(app, unsubscribePath, {
    GET: ['showUnsubscribe', (c) => showUnsubscribe(c, parts.service)],
    POST: ['unsubscribe', (c) => unsubscribeMails(c, parts.service)],
  })
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
  const answer = async (c: HttpContext) => {
    await begin(c, parts, { keys: true })
    const { answerMetrics } = await import('./answer-metrics.ts')
    return parts.slots.make(c, 'answers', () => answerMetrics(c, parts))
  }
  serve(app, '/metrics/answers', { GET: ['answers', answer] })
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
  serve(app, '/healthz', { GET: ['healthz', (c) => replyJson(c, { status: 'ok' })] })
  const answerReady = async (c: HttpContext) => {
    if (!isStopping() && (await health.isReady(service.db))) return replyJson(c, { status: 'ready' })
    return replyJson(c, { status: 'unavailable' }, { status: 503, headers: { 'Retry-After': '2' } })
  }
  serve(app, '/readyz', { GET: ['readyz', answerReady] })
}

function addMetrics(app: App, metrics: Metrics, token: string | undefined): void {
  const answer = async (c: HttpContext) => {
    if (token !== undefined && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) {
      throw new ReltError('unauthenticated', 'Authentication is required: the bearer token of the metrics.')
    }
    return replyText(c, await metrics.text(), { type: metrics.contentType })
  }
  serve(app, '/metrics', { GET: ['metrics', answer] })
}

/** `/cluster-reports/compare` is registered before `/cluster-reports/{run_id}`, which would match its other methods. */
function routesByPath(): [path: string, routes: [RouteName, Route][]][] {
  const paths = Map.groupBy(Object.entries(routes) as [RouteName, Route][], ([, { path }]) => path)
  return [...paths].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

/** The name of a route, for metrics, and what answers it. */
type Answer = [name: string, answer: (c: HttpContext) => Promise<Response>]
/** By method. */
type Answers = Record<string, Answer>

/** Answers the methods of an address, and rejects all others. `path`: label for metrics. */
function serve(app: App, address: string, answers: Answers, path = address): void {
  for (const [method, [name, answer]] of Object.entries(answers)) {
    app.on(method, address, (c) => answer(named(c, name, path)))
  }
  const allowed = [...Object.keys(answers), ...('GET' in answers ? ['HEAD'] : [])]
  app.all(address, (c) => {
    const error = new ReltError('method_not_allowed', `This address has no method ${c.req.method}.`)
    return replyError(named(c, 'none', path), error, { Allow: allowed.join(', ') })
  })
}

function named(c: HttpContext, route: string, path: string): HttpContext {
  Object.assign(c.get('state'), { route, path })
  return c
}
