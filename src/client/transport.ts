import { setTimeout as wait } from 'node:timers/promises'
import { type Origin, ReltError } from '../errors.ts'
import type { HttpConnection, HttpResponse } from '../util/http-exchange.ts'
import type { Exchange, OnExchange } from './exchange.ts'
import { toFailure, toOrigin } from './failure.ts'
import { noAnswer } from './no-answer.ts'
import { firstPauseMs, longestPauseMs } from './pauses.ts'

export interface ServerRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body?: Uint8Array | undefined
  /** The request is idempotent. */
  repeatable: boolean
}

interface TransportOptions {
  connect: () => Promise<HttpConnection>
  /** Time limit of a call, including retries. */
  timeoutMs: number
  maxBytes: number
  onExchange: OnExchange | undefined
}

const maxRedirects = 5

/** Sends requests to one server: retries if safe, and follows redirects only within the server. */
export class Transport {
  readonly #options: TransportOptions
  #connection: Promise<HttpConnection> | undefined

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** An answer with a status below 400. Throws `ReltError`; the server's own error if it answered. */
  async send(sending: ServerRequest) {
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    for (let attempt = 1; ; attempt++) {
      const tried = await this.#try(sending, attempt, signal)
      if (!tried.error) return tried.response
      const pause = tried.isPassing && sending.repeatable ? pauseBefore(attempt + 1, tried.error.retryAfter) : undefined
      if (pause === undefined || signal.aborted) throw tried.error
      try {
        await wait(pause, undefined, { signal })
      } catch {
        throw tried.error
      }
    }
  }

  async close() {
    await (await this.#connection?.catch(() => undefined))?.close()
  }

  async #try(
    sending: ServerRequest,
    attempt: number,
    signal: AbortSignal,
  ): Promise<{ response: HttpResponse; error?: undefined } | { error: ReltError; isPassing: boolean }> {
    const { maxBytes, onExchange } = this.#options
    const { method, url } = sending
    const started = performance.now()
    const tell = (result: Partial<Exchange>) =>
      onExchange?.({ method, url: url.href, attempt, ms: performance.now() - started, ...result })
    let response: HttpResponse
    try {
      response = await this.#follow(sending, signal)
    } catch (cause) {
      if (cause instanceof ReltError) {
        tell({ failure: cause.message })
        throw cause
      }
      const { error, isLasting } = noAnswer(cause, { host: url.host, maxBytes })
      tell({ failure: error.message })
      return { error, isPassing: !isLasting }
    }
    const { status, body, headers } = response
    const date = typeof headers.date === 'string' ? headers.date : undefined
    tell({ status, bytes: body.length, ...toOrigin(response), date })
    if (status < 400) return { response }
    return { error: toFailure(response), isPassing: passingStatuses.has(status) }
  }

  async #follow({ method, url, headers, body }: ServerRequest, signal: AbortSignal) {
    this.#connection ??= this.#options.connect()
    const connection = await this.#connection
    let at = url
    for (let steps = 0; steps <= maxRedirects; steps++) {
      const response = await connection.exchange({ method, url: at, headers, body, signal })
      const { status } = response
      if (status < 300 || status >= 400) return response
      at = toTarget(response, at)
      // A redirect must not change the target or method of a request with a body.
      if (method !== 'GET' && status !== 307 && status !== 308) throw sentOn(at, toOrigin(response))
    }
    throw new ReltError('bad_answer', `${url.host} sends from one address to the next without end.`)
  }
}

/** Maximum attempts of an idempotent request. */
const tries = 4

/** Milliseconds to wait before the next attempt; undefined to give up. `retryAfter` in seconds. */
function pauseBefore(next: number, retryAfter: number | undefined) {
  if (next > tries) return undefined
  const ours = firstPauseMs * 2 ** (next - 2)
  // Random, so that clients which failed together do not retry together.
  const pause = Math.max((retryAfter ?? 0) * 1000, ours / 2 + (Math.random() * ours) / 2)
  return pause > longestPauseMs ? undefined : pause
}

/** Statuses of temporary problems, in the server or a proxy. */
const passingStatuses = new Set([429, 502, 503, 504])

function toTarget(response: HttpResponse, from: URL) {
  const { location } = response.headers
  const target = typeof location === 'string' ? URL.parse(location, from.href) : null
  if (target === null) {
    throw new ReltError('bad_answer', `${from.host} sends on, but does not say where to.`, {
      origin: toOrigin(response),
    })
  }
  if (target.origin !== from.origin) throw sentOn(target, toOrigin(response))
  return target
}

function sentOn({ origin, pathname }: URL, from: Origin) {
  return new ReltError('bad_answer', `The server sends on to ${`${origin}${pathname}`.slice(0, 200)}.`, {
    hint: 'Nothing was sent there. If that is the right address, sign in to it: relt auth login URL',
    origin: from,
  })
}
