import type { IncomingMessage } from 'node:http'
import type { Hono } from 'hono'
import { routes } from '../../contract/routes.ts'
import { type ErrorCode, ReltError } from '../../errors.ts'
import type { Logger } from '../../util/log.ts'
import { askedOrigin, callerAddress, callerIp, isSecure } from './address.ts'
import type { BodyBudget, HeldBytes } from './body-budget.ts'
import type { Metrics } from './metrics.ts'
import { replyError } from './on-error.ts'
import { type HttpContext, type HttpEnv, type RequestState, toRequestId } from './state.ts'
import type { StoreHealth } from './store-health.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** A completed request. */
export interface AccessLogEntry
  extends Pick<RequestState, 'requestId' | 'route' | 'user' | 'client' | 'refused' | 'bytes'> {
  /** Path of the request without its query. */
  path: string
  method: string
  status: number
  ms: number
}

/** Routes that monitoring requests every few seconds. */
const probes = new Set(['healthz', 'readyz', 'metrics'])

/** Returns a function that counts and logs requests. */
export function createObserver(metrics: Metrics, logger: Logger): (answered: AccessLogEntry) => void {
  return ({ requestId: request_id, client, route, path, user, refused, method, status, bytes, ms }) => {
    metrics.observe({ route, method, status, seconds: ms / 1000 })
    const level = refused ? 'warn' : probes.has(route) ? 'debug' : 'info'
    if (!logger.isLevelEnabled(level)) return
    const asked = { client, user: user?.login, method, route, path: loggable(path), status, bytes }
    logger[level]({ ...asked, ms: Math.round(ms * 10) / 10, request_id, refused })
  }
}

const words = new Set([
  '',
  'api',
  'relt',
  'v1',
  'batch',
  'session',
  'openapi.json',
  ...Object.values(routes).flatMap(({ path }) => path.split('/')),
])
const id = /^(?:\d{1,10}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|crun_[a-z2-7]{16}|ccfg_[0-9a-f]{20})$/

/**
 * Matches text as long as a feed's secret, which may also be sent to wrong paths, for example with the prefix of a proxy.
 */
const secret = /[\w-]{40,}/g

/** Keeps only known words and ids of an API path: anything else may be a secret pasted in the wrong place. */
function loggable(path: string) {
  if (path.startsWith('/feeds/')) return '/feeds/***'
  if (!path.startsWith('/api/')) return path.replace(secret, '***').slice(0, 300)
  const segments = path.split('/').slice(0, 12)
  return segments.map((segment) => (words.has(segment) || id.test(segment) ? segment : '***')).join('/')
}

/** Failures that the operator should see. */
const loggedCodes: ErrorCode[] = ['internal', 'key_unavailable', 'store_full', 'store_read_only', 'store_unusable']

export interface ObserveOptions {
  logger: Logger
  trusted: TrustedProxies | undefined
  publicUrl: string | undefined
  watchProxy: (incoming: IncomingMessage | undefined) => void
  isStopping: () => boolean
  bodyBudget: BodyBudget
  /** Charges the cost of an answer with status 400 or above, in requests. */
  charge: (state: RequestState, tokens: number) => void
  observe: (answered: AccessLogEntry) => void
  health: StoreHealth
}

/** Adds the state to each request, and observes its outcome. */
export function addState(
  app: Hono<HttpEnv>,
  { logger, trusted, publicUrl, watchProxy, isStopping, bodyBudget, charge, observe, health }: ObserveOptions,
) {
  app.use(async (c, next) => {
    const state = newState(c, { trusted, publicUrl, held: bodyBudget.open() })
    if (!state.inner) watchProxy(c.env?.incoming)
    state.closing = isStopping()
    c.set('state', state)
    const start = performance.now()
    await next()
    state.held.release()
    const { status } = c.res
    // The cost of reading a body, in units of cheap requests.
    if (status >= 400 && status < 500)
      charge(state, Math.floor(state.cpuMs / cpuMsOfRequest + state.bodyBytes / bytesOfRequest))
    if (state.inner === 'dry') return
    observe({ ...state, path: c.req.path, method: c.req.method, status, ms: performance.now() - start })
  })
  app.onError((error, c) => {
    noteFailure(c, error, { logger, health })
    return replyError(c, error)
  })
}

const cpuMsOfRequest = 10
const bytesOfRequest = 1_000_000

/** Logs failures that the operator should see. */
export function noteFailure(
  c: HttpContext,
  error: unknown,
  { logger, health }: Pick<ObserveOptions, 'logger' | 'health'>,
) {
  health.noteError(error)
  if (error instanceof ReltError && !loggedCodes.includes(error.code)) return
  logger.error({ request_id: c.get('state').requestId, err: error }, 'request failed')
}

function newState(
  c: HttpContext,
  { trusted, publicUrl, held }: Pick<ObserveOptions, 'trusted' | 'publicUrl'> & { held: HeldBytes },
): RequestState {
  const { incoming, outer } = c.env ?? {}
  if (outer)
    return {
      ...outer.state,
      refused: undefined,
      bytes: 0,
      bodyBytes: 0,
      cpuMs: 0,
      route: 'none',
      path: undefined,
      inner: outer.inner,
      held,
    }
  return {
    requestId: toRequestId(c.req.header('x-request-id')),
    client: callerIp(incoming, trusted),
    address: callerAddress(incoming, trusted),
    secure: isSecure(incoming, trusted),
    origin: publicUrl ?? askedOrigin(c.req.url, incoming, trusted),
    route: 'none',
    path: undefined,
    user: undefined,
    team: c.req.header('x-relt-team')?.trim() || undefined,
    triedWith: undefined,
    bytes: 0,
    refused: undefined,
    session: undefined,
    inner: undefined,
    held,
    bodyBytes: 0,
    cpuMs: 0,
    closing: false,
  }
}
