import type { HttpConnection } from '../util/http-exchange.ts'
import type { HttpGuard } from '../util/http-guard.ts'
import type { GuardedPost, PostResult } from './delivery.ts'

export interface PostSettings {
  /** Hosts, with or without a port, and networks in CIDR notation that are reached although they are not public. */
  allow: { hosts: readonly string[]; nets: readonly string[] }
  /** The proxy resolves names by itself. */
  proxies: { http: string | undefined; https: string | undefined; none: string | undefined }
  /** Authorities that are trusted; undefined: the usual ones. */
  ca: string[] | undefined
  userAgent: string
  timeoutMs?: number
}

const maxAnswerBytes = 4096
/** For the whole of a request, from resolving the host to the last byte that is read. */
const defaultTimeoutMs = 10_000

/**
 * Posts to addresses that users gave. The address must be public and is resolved once, for the connection itself; a
 * redirect is an answer like others. A connection is closed after its request, so that no receiver can hold many of them.
 */
export function createGuardedPost(settings: PostSettings): GuardedPost {
  const { timeoutMs = defaultTimeoutMs } = settings
  let guard: Promise<HttpGuard> | undefined
  return async ({ url: address, headers, body, signal }) => {
    const url = URL.parse(address)
    if (!url) return { status: null, reason: 'the address is not valid', canRetry: false }
    // Some formats keep their settings there; it never leaves.
    url.hash = ''
    guard ??= openGuard(settings)
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    let connection: HttpConnection | undefined
    try {
      connection = await connect(url, { ...settings, timeoutMs, lookup: (await guard).lookupFor(url) })
      const answer = await connection.exchange({
        method: 'POST',
        url,
        headers: { 'user-agent': settings.userAgent, 'accept-encoding': 'identity', ...headers },
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

async function connect(
  { origin }: URL,
  { proxies, ca, timeoutMs, lookup }: PostSettings & { timeoutMs: number; lookup: ReturnType<HttpGuard['lookupFor']> },
): Promise<HttpConnection> {
  const { openConnection } = await import('../util/http.ts')
  return openConnection({
    ...{ origin, proxies, ca, lookup },
    connectTimeoutMs: timeoutMs,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    maxBytes: maxAnswerBytes,
    cutBody: true,
    maxConnections: 1,
  })
}

async function openGuard({ allow }: PostSettings): Promise<HttpGuard> {
  const { createHttpGuard } = await import('../util/http-guard.ts')
  return createHttpGuard({
    allowedNets: allow.nets,
    trustedOrigins: [],
    trustedHosts: allow.hosts,
    httpsOnly: true,
    setting: 'RELT_WEBHOOK_ALLOW',
  })
}

/** Seconds, or a date in HTTP's own form; null for anything else. */
function toRetryAfter(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null
  if (/^\d{1,9}(\.\d{1,3})?$/.test(value)) return Math.ceil(Number(value))
  const time = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000))
}

/** Words of ours: the message of an error may repeat the address or what its host answered. */
function toFailure(error: unknown): PostResult {
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
