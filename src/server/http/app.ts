import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { ReltError } from '../../errors.ts'
import type { Service } from '../../service/service.ts'
import { countSilentClusters } from '../../store/fleet/silence.ts'
import { countDeliveries } from '../../store/notifications/delivery.ts'
import type { Logger } from '../../util/log.ts'
import { addAddresses, type Parts } from './addresses.ts'
import { answerKept } from './answer-kept.ts'
import { AnswerSlots } from './answer-slots.ts'
import { apiRoot, basePath } from './base-path.ts'
import { BodyBudget } from './body-budget.ts'
import { CatalogCache } from './catalog-cache.ts'
import { FailedSignIns } from './failed-sign-ins.ts'
import { identify, type SignIns } from './identify.ts'
import { Metrics } from './metrics.ts'
import { addState, createObserver, noteFailure } from './observe.ts'
import { replyError } from './on-error.ts'
import type { RateLimits } from './rate-limit.ts'
import { createRefusals } from './refusals.ts'
import { refuseForeignPages, refuseOtherHosts } from './same-origin.ts'
import type { HttpContext, HttpEnv } from './state.ts'
import { StoreHealth } from './store-health.ts'
import { createProxyWatch, type TrustedProxies } from './trusted-proxies.ts'
import { createTurns } from './turns.ts'
import { Work, type WorkOptions } from './work.ts'

export interface HttpOptions extends WorkOptions {
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
  const turns = createTurns(options.rateLimits, clock)
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
    service,
    signIns,
    cache: new CatalogCache(),
    slots: new AnswerSlots(),
    work: new Work(service, options),
    metrics,
    metricsAccess: options.metrics,
    health,
    publicUrl,
    clock,
    isStopping,
    takeTurn: turns.take,
    refuseHost: (c) => refuseOtherHosts(c, publicUrl, trusted),
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
  { logger, wait, failuresPerMinute }: HttpOptions,
  clock: () => number,
): SignIns {
  const failures = new FailedSignIns({ clock, wait }, failuresPerMinute)
  return { service, failures, refuse: createRefusals(service, clock, logger) }
}

function toMetrics({ db, now }: Service) {
  return new Metrics(
    () => countSilentClusters(db),
    async () => {
      const { counts, oldestDue } = await countDeliveries(db, now())
      return { counts, oldestSeconds: oldestDue === null ? 0 : now() - oldestDue }
    },
  )
}

/** Paths outside the API are pages, or unknown. */
function addPages(app: Hono<HttpEnv>, parts: Parts, { pages = true, logger }: HttpOptions) {
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
function guardApi(app: Hono<HttpEnv>, { signIns, isStopping, takeTurn, refuseHost }: Parts) {
  app.use(`${apiRoot}/*`, async (c, next) => {
    const { inner } = c.get('state')
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    if (!inner) {
      refuseForeignPages(c)
      await identify(c, signIns)
      if (isOfSessions(c)) refuseHost(c)
    }
    if (inner !== 'dry') takeTurn(c)
    await next()
  })
}

/** Requests with an API key may use any host name of the server, because browsers do not send keys by themselves. */
const isOfSessions = (c: HttpContext) => c.req.path === `${basePath}/session` || c.get('state').triedWith === 'session'
