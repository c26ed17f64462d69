import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { isShared } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import type { Service } from '../../service/service.ts'
import { countSilentClusters } from '../../store/fleet/silence.ts'
import { countDeliveries } from '../../store/notifications/delivery.ts'
import type { Logger } from '../../util/log.ts'
import { callerAddress, callerIp, isSecure } from './address.ts'
import { addAddresses, type Parts } from './addresses.ts'
import { AnswerSlots } from './answer-slots.ts'
import { apiRoot, basePath } from './base-path.ts'
import { BodyBudget } from './body-budget.ts'
import { CatalogCache } from './catalog-cache.ts'
import { FailedSignIns, usualFailuresPerMinute } from './failed-sign-ins.ts'
import { type FailureCount, OwnFailures, SharedFailures } from './failure-count.ts'
import { type Accounts, identify, type SignIns } from './identify.ts'
import { LeasedLimiter } from './leased-limiter.ts'
import { Metrics } from './metrics.ts'
import { type AccessLogEntry, addState, createObserver, noteFailure } from './observe.ts'
import { replyError } from './on-error.ts'
import { type Limiter, RateLimiter, type RateLimits } from './rate-limit.ts'
import { createRefusals } from './refusals.ts'
import { publicParts } from './reply.ts'
import { refuseForeignPages, refuseOtherHosts } from './same-origin.ts'
import { type HttpContext, type HttpEnv, type RequestState, toRequestId } from './state.ts'
import { StoreHealth } from './store-health.ts'
import { createProxyWatch, type TrustedProxies } from './trusted-proxies.ts'
import { type Heavy, Work } from './work.ts'

export interface HttpOptions {
  accounts: Accounts
  rateLimits: RateLimits
  logger: Logger
  trusted?: TrustedProxies | undefined
  /** Public address, see `readPublicUrl`. If set, pages and sessions work only with its host name. */
  publicUrl?: string | undefined
  /** Limit of failed sign-ins per address or account; 0 for no limit. */
  failuresPerMinute?: number
  /** Milliseconds, for the rate limits. */
  clock?: () => number
  /** Delays a sign-in. */
  wait?: (ms: number) => Promise<unknown>
  bodyBudget?: BodyBudget
  /** Access to metrics: public, or with a token; `elsewhere` if another port serves them. */
  metrics?: { token: string | undefined } | 'elsewhere'
  /** Handles heavy requests outside of this thread. */
  heavy?: Heavy
  /** Called when figures of clusters may have changed. */
  renewFigures?: () => void
  /** False: only the API, without web pages. */
  pages?: boolean
  /** Returns true to reject new requests. */
  isStopping?: () => boolean
}

export interface HttpApp {
  app: Hono<HttpEnv>
  /** Called first for requests from a socket; returns false to pass them to the application. */
  answerKept: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
  metrics: Metrics
  /** Sets the limits, in requests per minute. */
  setRateLimits: (limits: RateLimits) => void
}

/** The service over HTTP: all routes of the table, sessions, batches, probes and metrics. */
export function createHttpApp(service: Service, options: HttpOptions): HttpApp {
  const { logger, trusted, publicUrl, clock = Date.now, isStopping = () => false } = options
  const turns = createTurns(service.db, options.rateLimits, clock)
  const signIns = createSignIns(service, options, clock)
  const metrics = toMetrics(service)
  const observe = createObserver(metrics, logger)
  const health = new StoreHealth()
  const watchProxy = createProxyWatch(trusted, logger)
  const app = new Hono<HttpEnv>()
  const bodyBudget = options.bodyBudget ?? new BodyBudget()
  const { charge } = turns
  addState(app, { logger, trusted, publicUrl, watchProxy, isStopping, bodyBudget, charge, observe, health })
  const parts: Parts = {
    ...{ service, signIns, cache: new CatalogCache(), slots: new AnswerSlots(), work: new Work(service, options) },
    ...{ metrics, metricsAccess: options.metrics, health, publicUrl, clock, isStopping, takeTurn: turns.take },
    refuseHost: (c) => refuseOtherHosts(c, { publicUrl, trusted }),
  }
  addPages(app, parts, options)
  guardApi(app, parts)
  addAddresses(app, parts)
  const keeping = { cache: parts.cache, perAddress: turns.perAddress, trusted, watchProxy, isStopping, clock, observe }
  return {
    app,
    metrics,
    setRateLimits: turns.setPerMinute,
    answerKept: (incoming, outgoing) => answerKept(incoming, outgoing, keeping),
  }
}

function createSignIns(
  service: Service,
  { accounts, logger, wait, failuresPerMinute }: HttpOptions,
  clock: () => number,
): SignIns {
  const failures = new FailedSignIns({ clock, wait }, createFailureCount(service.db, failuresPerMinute))
  return { service, accounts, failures, refuse: createRefusals(service, { clock, logger }) }
}

function toMetrics({ db, now }: Service): Metrics {
  return new Metrics(
    () => countSilentClusters(db),
    async () => {
      const { counts, oldestDue } = await countDeliveries(db, now())
      return { counts, oldestSeconds: oldestDue === null ? 0 : now() - oldestDue }
    },
  )
}

/** Paths outside the API are pages, or unknown. */
function addPages(app: Hono<HttpEnv>, parts: Parts, { pages = true, logger }: HttpOptions): void {
  const answerUnknown = (c: HttpContext) =>
    replyError(c, new ReltError('not_found', 'No route was found for this address and method.'))
  app.notFound(async (c) => {
    if (!pages || c.req.path.startsWith(`${apiRoot}/`)) return answerUnknown(c)
    // Loaded on demand, because most requests are for the API.
    const { answerPage } = await import('../pages/answer-page.ts')
    const { health } = parts
    return answerPage(c, { ...parts, answerUnknown, noteFailure: (error) => noteFailure(c, error, { logger, health }) })
  })
}

/** Identifies callers of the API, and applies rate limits. */
function guardApi(app: Hono<HttpEnv>, { signIns, isStopping, takeTurn, refuseHost }: Parts): void {
  app.use(`${apiRoot}/*`, async (c, next) => {
    const { inner } = c.get('state')
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    if (!inner) {
      refuseForeignPages(c)
      await identify(c, signIns)
      if (isOfSessions(c)) refuseHost(c)
    }
    if (inner !== 'dry') await takeTurn(c)
    await next()
  })
}

/** Requests with an API key may use any host name of the server, because browsers do not send keys by themselves. */
const isOfSessions = (c: HttpContext): boolean =>
  c.req.path === `${basePath}/session` || c.get('state').triedWith === 'session'

/** Rate limits of callers' requests, by account, else by address. */
interface Turns {
  perAddress: Limiter
  /** Throws `rate_limited`. `caller`: key to use instead of the address. */
  take: (c: HttpContext, caller?: string) => Promise<void>
  /** Charges additional requests for an expensive one. */
  charge: (state: Pick<RequestState, 'user' | 'address'>, tokens: number) => void
  /** Applies to later requests. */
  setPerMinute: (limits: RateLimits) => void
}

/** Uses the database if several servers share it, else memory. `clock`: milliseconds. */
function createTurns(db: Db, { user, address }: RateLimits, clock: () => number): Turns {
  const [perUser, perAddress] = isShared(db)
    ? [new LeasedLimiter(db, 'requests of user', user), new LeasedLimiter(db, 'requests of address', address)]
    : [new RateLimiter(user), new RateLimiter(address)]
  return {
    perAddress,
    async take(c, caller) {
      const state = c.get('state')
      const [limiter, key] = state.user ? [perUser, String(state.user.id)] : [perAddress, caller ?? state.address]
      const taken = limiter.take(key, clock())
      if (taken === true || (await taken)) return
      const retryAfter = limiter.secondsUntilNext(key, clock())
      throw new ReltError('rate_limited', `Too many requests. Retry in ${retryAfter} s.`, { retryAfter })
    },
    charge(state, tokens) {
      if (state.user) perUser.charge(String(state.user.id), tokens, clock())
      else perAddress.charge(state.address, tokens, clock())
    },
    setPerMinute(limits) {
      perUser.setPerMinute(limits.user)
      perAddress.setPerMinute(limits.address)
    },
  }
}

/** Limit of failed sign-ins per minute, counted in the same place; 0 for no limit. */
function createFailureCount(db: Db, perMinute = usualFailuresPerMinute): FailureCount {
  return isShared(db) ? new SharedFailures(db, perMinute) : new OwnFailures(perMinute)
}

interface CachedAnswerOptions {
  cache: CatalogCache
  perAddress: Limiter
  trusted: TrustedProxies | undefined
  watchProxy: (incoming: IncomingMessage) => void
  isStopping: () => boolean
  /** Milliseconds. */
  clock: () => number
  observe: (answered: AccessLogEntry) => void
}

/**
 * Answers from the cache of the catalog, bypassing the application, which would take longer than all the rest. Returns
 * false, without side effects, for requests that are not simple enough.
 */
function answerKept(incoming: IncomingMessage, outgoing: ServerResponse, keeping: CachedAnswerOptions): boolean {
  const start = performance.now()
  const { method = '', url = '', headers } = incoming
  const { cache, perAddress, trusted, watchProxy, isStopping, clock, observe } = keeping
  if (method !== 'GET' || hasCredentials(headers) || hasBody(headers) || isStopping()) return false
  const nowMs = clock()
  const kept = cache.find(url, nowMs)
  if (!kept) return false
  const requestId = toRequestId(String(headers['x-request-id'] ?? ''))
  const parts = publicParts(
    kept,
    { acceptEncoding: headers['accept-encoding'], ifNoneMatch: headers['if-none-match'] },
    { requestId, secure: isSecure(incoming, trusted), closing: false, user: undefined, team: undefined },
  )
  if (!parts || !perAddress.takeNow(callerAddress(incoming, trusted), nowMs)) return false
  const { status, body } = parts
  watchProxy(incoming)
  outgoing.writeHead(parts.status, parts.headers).end(parts.body)
  const path = url.split('?', 1)[0]!
  const asked = { requestId, client: callerIp(incoming, trusted), route: kept.route, path, method }
  const bytes = body ? Buffer.byteLength(body) : 0
  observe({ ...asked, status, bytes, ms: performance.now() - start, user: undefined, refused: undefined })
  return true
}

const hasCredentials = (headers: IncomingMessage['headers']): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined

const hasBody = (headers: IncomingMessage['headers']): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
