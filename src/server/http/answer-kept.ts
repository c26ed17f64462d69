import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerAddress, callerIp, isSecure } from './address.ts'
import type { CatalogCache } from './catalog-cache.ts'
import type { ObserveOptions } from './observe.ts'
import type { RateLimiter } from './rate-limit.ts'
import { publicParts } from './reply.ts'
import { toRequestId } from './state.ts'

interface CachedAnswerOptions extends Pick<ObserveOptions, 'trusted' | 'watchProxy' | 'isStopping' | 'observe'> {
  cache: CatalogCache
  perAddress: RateLimiter
  /** Milliseconds. */
  clock: () => number
}

/**
 * Answers from the cache of the catalog, bypassing the application, which would take longer than all the rest. Returns
 * false, without side effects, for requests that are not simple enough.
 */
export function answerKept(incoming: IncomingMessage, outgoing: ServerResponse, keeping: CachedAnswerOptions) {
  const start = performance.now()
  const { method = '', url = '', headers } = incoming
  const { cache, perAddress, trusted, watchProxy, isStopping, clock, observe } = keeping
  if (method !== 'GET' || neverKept.some((name) => headers[name] !== undefined) || isStopping()) return false
  const nowMs = clock()
  const kept = cache.find(url, nowMs)
  if (!kept) return false
  const requestId = toRequestId(String(headers['x-request-id'] ?? ''))
  const parts = publicParts(
    kept,
    { acceptEncoding: headers['accept-encoding'], ifNoneMatch: headers['if-none-match'] },
    { requestId, secure: isSecure(incoming, trusted), closing: false, user: undefined, team: undefined },
  )
  if (!parts || !perAddress.take(callerAddress(incoming, trusted), nowMs)) return false
  const { status, body } = parts
  watchProxy(incoming)
  outgoing.writeHead(parts.status, parts.headers).end(parts.body)
  const path = url.split('?', 1)[0]!
  const asked = { requestId, client: callerIp(incoming, trusted), route: kept.route, path, method }
  const bytes = body ? Buffer.byteLength(body) : 0
  observe({ ...asked, status, bytes, ms: performance.now() - start, user: undefined, refused: undefined })
  return true
}

/** Headers of requests with credentials or a body. */
const neverKept = ['authorization', 'cookie', 'content-length', 'transfer-encoding']
