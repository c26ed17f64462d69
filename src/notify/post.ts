import type { HttpConnection } from '../util/http-exchange.ts'
import type { HttpGuard } from '../util/http-guard.ts'
import type { Proxies } from '../util/proxies.ts'
import type { GuardedPost, PostResult } from './delivery.ts'

export interface PostSettings {
  /** Hosts, with or without a port, and networks in CIDR notation that are allowed although they are not public. */
  allow: { hosts: readonly string[]; nets: readonly string[] }
  /** A proxy resolves names by itself. */
  proxies: Proxies
  /** Trusted certificate authorities; undefined: the default ones. */
  ca: string[] | undefined
  userAgent: string
  timeoutMs?: number
}

const maxAnswerBytes = 4096
/** Timeout of a whole request, from resolving the host to the last byte read. */
const defaultTimeoutMs = 10_000

/**
 * Posts to URLs from users. The address must be public and is resolved once, for the connection itself; redirects are not
 * followed. Connections are not reused, so that no receiver can hold many.
 */
export function createGuardedPost(settings: PostSettings): GuardedPost {
  const { proxies, ca, userAgent, timeoutMs = defaultTimeoutMs } = settings
  let guard: Promise<HttpGuard> | undefined
  return async ({ url: address, headers, body, signal }) => {
    const url = URL.parse(address)
    if (!url) return { status: null, reason: 'the address is not valid', canRetry: false }
    // The fragment holds settings of some formats, and is never sent.
    url.hash = ''
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    let connection: HttpConnection | undefined
    try {
      guard ??= openGuard(settings)
      const { openConnection } = await import('../util/http.ts')
      connection = await openConnection({
        origin: url.origin,
        proxies,
        ca,
        lookup: (await guard).lookupFor(url),
        connectTimeoutMs: timeoutMs,
        headersTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
        maxBytes: maxAnswerBytes,
        cutBody: true,
        maxConnections: 1,
      })
      const answer = await connection.exchange({
        method: 'POST',
        url,
        headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...headers },
        body: Buffer.from(body),
        signal: ends,
      })
      return {
        status: answer.status,
        retryAfterSeconds: toRetryAfter(answer.headers['retry-after']),
        body: answer.body.toString('utf8'),
      }
    } catch (error) {
      return toFailure(error)
    } finally {
      await connection?.close()
    }
  }
}

async function openGuard({ allow }: PostSettings) {
  const { createHttpGuard } = await import('../util/http-guard.ts')
  return createHttpGuard({
    allowedNets: allow.nets,
    trustedOrigins: [],
    trustedHosts: allow.hosts,
    httpsOnly: true,
    setting: 'RELT_WEBHOOK_ALLOW',
  })
}

/** Seconds, or an HTTP date; null for anything else. */
function toRetryAfter(value: string | string[] | undefined) {
  if (typeof value !== 'string') return null
  if (/^\d{1,9}(\.\d{1,3})?$/.test(value)) return Math.ceil(Number(value))
  const time = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000))
}

/** Uses only known texts: the error message may repeat the URL or the response. */
function toFailure(error: unknown) {
  const { code = '', name } = error as NodeJS.ErrnoException
  const failed = (reason: string, canRetry = true): PostResult => ({ status: null, reason, canRetry })
  if (code === 'ADDRESS_REFUSED') return failed('the address is not public', false)
  if (name === 'TimeoutError' || /TIMEDOUT|TIMEOUT/.test(code)) return failed('no answer in time')
  if (name === 'AbortError') return failed('interrupted')
  if (/^E(NOTFOUND|AI_AGAIN|AI_)/.test(code)) return failed('the host is not known')
  if (code === 'ECONNREFUSED') return failed('connection refused')
  if (/UNREACH|ENETDOWN|EADDRNOTAVAIL/.test(code)) return failed('the host is unreachable')
  if (/CERT|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_|^HOSTNAME_MISMATCH$|^EPROTO$/.test(code)) return failed('TLS failed')
  if (/^HPE_/.test(code)) return failed('the answer is not HTTP')
  if (/RESET|EPIPE|SOCKET/.test(code)) return failed('connection closed')
  return failed('no connection')
}
