import type { HttpConnection, HttpResponse } from '../../util/http-exchange.ts'
import type { HttpAccess, HttpGuard } from '../../util/http-guard.ts'
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
export class Connections {
  readonly #settings: HttpSettings
  #guard: Promise<HttpGuard> | undefined
  readonly #open = new Map<string, Promise<HttpConnection>>()

  constructor(settings: HttpSettings) {
    this.#settings = settings
  }

  /** Follows redirects. Throws the errors of `openConnection`, `ADDRESS_REFUSED` and `REDIRECT_REFUSED`. */
  async exchange(question: SourceRequest, maxBytes: number) {
    const { method = 'GET', body, originHeaders, secretHeaders } = question
    const first = new URL(question.url)
    if (Object.keys(secretHeaders ?? {}).length > 0 && !mayCarrySecret(first)) {
      throw refused('is requested over plain HTTP, which would expose a secret to the network')
    }
    const signal = AbortSignal.any([this.#settings.signal, AbortSignal.timeout(this.#settings.patienceMs * 10)])
    let url = first
    let isTrusted = true
    for (let steps = 0; steps <= maxRedirects; steps++) {
      const connection = await this.#connect(url, maxBytes)
      const headers = { ...plainHeaders(question), ...(isTrusted && { ...originHeaders, ...secretHeaders }) }
      const response = await connection.exchange({
        method,
        url,
        headers,
        body: body === undefined ? undefined : Buffer.from(body),
        signal,
      })
      if (![301, 302, 303, 307, 308].includes(response.status)) return { ...response, url }
      url = toTarget(response, url)
      if (method === 'POST' && url.origin !== first.origin) throw refused('sends a question on to another host')
      // After a cross-origin redirect no secret is sent, even back on the first origin.
      isTrusted &&= url.origin === first.origin
    }
    throw refused('sends from one address to the next without end')
  }

  async close() {
    const opened = await Promise.allSettled(this.#open.values())
    await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.close()))
  }

  async #connect(url: URL, maxBytes: number) {
    const { access, env, ca, patienceMs, perHost } = this.#settings
    const { origin } = url
    this.#guard ??= import('../../util/http-guard.ts').then(({ createHttpGuard }) => createHttpGuard(access))
    const lookup = (await this.#guard).lookupFor(url)
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
    return remember(this.#open, `${origin} ${maxBytes}`, () =>
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

function toTarget({ headers: { location } }: HttpResponse, from: URL) {
  const target = typeof location === 'string' ? URL.parse(location, from.href) : null
  if (!target || !/^https?:$/.test(target.protocol)) throw refused('sends on, but not to a web address')
  if (from.protocol === 'https:' && target.protocol !== 'https:') throw refused('sends on to plain HTTP')
  target.username = ''
  target.password = ''
  return target
}

function refused(what: string) {
  return Object.assign(new Error(what), { code: 'REDIRECT_REFUSED' })
}
