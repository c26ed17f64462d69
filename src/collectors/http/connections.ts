import type { HttpConnection, HttpResponse } from '../../util/http-exchange.ts'
import { createHttpGuard, type HttpAccess } from '../../util/http-guard.ts'
import { proxiesFor } from '../../util/proxies.ts'
import { remember } from '../../util/remember.ts'
import { version } from '../../version.ts'
import { mayCarrySecret } from './may-carry-secret.ts'
import type { SourceRequest } from './question.ts'

export interface HttpSettings {
  env: Record<string, string | undefined>
  /** Which addresses may be accessed, because most come from projects, images and redirects. */
  access: HttpAccess
  /** Trusted certificate authorities; undefined: the default ones. */
  ca?: string[] | undefined
  /** Unix seconds. */
  now: () => number
  /** Aborts all requests. */
  signal: AbortSignal
  /** Maximum parallel requests to one host. */
  perHost: number
  /** Timeout for a connection, a first byte, and each further one. */
  patienceMs: number
  /** Pauses before each retry of an unreachable host. */
  retryPausesMs: readonly number[]
  /** A host that asks for a longer pause is skipped. */
  maxWaitSeconds: number
}

/** A response, with its final URL after redirects. */
export type LocatedResponse = HttpResponse & { url: URL }

const maxRedirects = 5

/** Connections by origin, kept open for a sync. */
export function createConnections({ access, env, ca, signal: ending, perHost, patienceMs }: HttpSettings) {
  const guard = createHttpGuard(access)
  const opened = new Map<string, Promise<HttpConnection>>()
  return {
    exchange,
    async close() {
      await Promise.allSettled([...opened.values()].map(async (one) => (await one).close()))
    },
  }

  /** Follows redirects. Throws the errors of `openConnection`, and `ADDRESS_REFUSED`. */
  async function exchange(question: SourceRequest, maxBytes: number): Promise<LocatedResponse> {
    const { method = 'GET', body, originHeaders, secretHeaders = {} } = question
    const first = new URL(question.url)
    const refused = (what: string) => Object.assign(new Error(`${first.host} ${what}`), { code: 'ADDRESS_REFUSED' })
    if (Object.keys(secretHeaders).length > 0 && !mayCarrySecret(first))
      throw refused('is requested over plain HTTP, which would expose a secret to the network')
    const signal = AbortSignal.any([ending, AbortSignal.timeout(patienceMs * 10)])
    let url = first
    let isTrusted = true
    for (let steps = 0; steps <= maxRedirects; steps++) {
      const connection = await connect(url, maxBytes)
      const response = await connection.exchange({
        method,
        url,
        headers: { ...plainHeaders(question), ...(isTrusted && { ...originHeaders, ...secretHeaders }) },
        body: body === undefined ? undefined : Buffer.from(body),
        signal,
      })
      const { status, headers } = response
      if (![301, 302, 303, 307, 308].includes(status)) return { ...response, url }
      const target = typeof headers.location === 'string' ? URL.parse(headers.location, url.href) : null
      if (!target) throw refused('sends on, but not to a web address')
      if (url.protocol === 'https:' && target.protocol !== 'https:') throw refused('sends on to plain HTTP')
      if (method === 'POST' && target.origin !== first.origin) throw refused('sends a question on to another host')
      // After a cross-origin redirect no secret is sent, even back on the first origin.
      isTrusted &&= target.origin === first.origin
      url = target
    }
    throw refused('sends from one address to the next without end')
  }

  function connect(url: URL, maxBytes: number) {
    const { origin } = url
    const lookup = guard.lookupFor(url)
    const options = {
      origin,
      proxies: proxiesFor(env),
      ca,
      connectTimeoutMs: patienceMs,
      headersTimeoutMs: patienceMs,
      bodyTimeoutMs: patienceMs,
      maxBytes,
      maxConnections: perHost,
      lookup,
    }
    return remember(opened, `${origin} ${maxBytes}`, () =>
      import('../../util/http.ts').then(({ openConnection }) => openConnection(options)),
    )
  }
}

function plainHeaders({ headers, state, types }: SourceRequest): Record<string, string> {
  return {
    'user-agent': `relt/${version}`,
    accept: types.join(', '),
    ...(state?.etag && { 'if-none-match': state.etag }),
    ...(state?.lastModified && { 'if-modified-since': state.lastModified }),
    ...headers,
  }
}
