import type { IncomingMessage } from 'node:http'
import type { Hono } from 'hono'
import { type ErrorCode, ReltError } from '../../errors.ts'
import { askedOrigin, callerAddress, callerIp, isSecure } from './address.ts'
import type { BodyBudget, HeldBytes } from './body-budget.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { replyError } from './on-error.ts'
import { type Bindings, type HttpContext, type HttpEnv, requestIdOf, type State } from './state.ts'
import type { StoreHealth } from './store-health.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** A request and how it went. */
export interface Answered extends Pick<State, 'requestId' | 'route' | 'path' | 'user'> {
  method: string
  status: number
  ms: number
}

/** Asked every few seconds by whoever watches the server. */
const probes = new Set(['healthz', 'readyz', 'metrics'])

/** Counts and logs. */
export function createObserver(metrics: Metrics, logger: Logger): (answered: Answered) => void {
  return ({ requestId: request_id, route, path, user, method, status, ms }) => {
    metrics.observe({ route, method, status, seconds: ms / 1000 })
    const line = { request_id, method, path, status, ms: Math.round(ms * 10) / 10, user_id: user?.id }
    if (probes.has(route)) logger.debug(line)
    else logger.info(line)
  }
}

/** Failures for the operator to look at. */
const loggedCodes: ErrorCode[] = ['internal', 'key_unavailable', 'store_full', 'store_read_only', 'store_unusable']

interface Surroundings {
  logger: Logger
  trusted: TrustedProxies | undefined
  watchProxy: (incoming: IncomingMessage | undefined) => void
  isStopping: () => boolean
  bodyBudget: BodyBudget
  observe: (answered: Answered) => void
  health: StoreHealth
}

/** Each request gets its state, and what becomes of it is observed. */
export function addState(
  app: Hono<HttpEnv>,
  { logger, trusted, watchProxy, isStopping, bodyBudget, observe, health }: Surroundings,
): void {
  app.use(async (c, next) => {
    const state = newState(c, { trusted, held: bodyBudget.open() })
    if (!state.inner) watchProxy(c.env?.incoming)
    state.closing = isStopping()
    c.set('state', state)
    const start = performance.now()
    await next()
    state.held.release()
    if (state.inner === 'dry') return
    observe({ ...state, method: c.req.method, status: c.res.status, ms: performance.now() - start })
  })
  app.onError((error, c) => {
    const { requestId } = c.get('state')
    health.noteError(error)
    if (!(error instanceof ReltError) || loggedCodes.includes(error.code)) {
      logger.error({ request_id: requestId, err: error }, 'request failed')
    }
    return replyError(c, error)
  })
}

function newState(c: HttpContext, { trusted, held }: { trusted: TrustedProxies | undefined; held: HeldBytes }): State {
  const { incoming, outer } = (c.env ?? {}) as Bindings
  if (outer) return { ...outer.state, route: 'none', path: undefined, inner: outer.inner, held }
  return {
    requestId: requestIdOf(c.req.header('x-request-id')),
    client: callerIp(incoming, trusted),
    address: callerAddress(incoming, trusted),
    secure: isSecure(incoming, trusted),
    origin: askedOrigin(c.req.url, incoming, trusted),
    route: 'none',
    path: undefined,
    user: undefined,
    triedWith: undefined,
    refused: undefined,
    session: undefined,
    inner: undefined,
    held,
    closing: false,
  }
}
