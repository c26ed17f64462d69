import { setTimeout as wait } from 'node:timers/promises'
import { certificatesFor } from '../config/certificates.ts'
import { ReltError } from '../errors.ts'
import { type HttpConnection, type HttpResponse, isUntrusted } from '../util/http-exchange.ts'
import { isObject } from '../util/json.ts'
import { proxiesFor } from '../util/proxies.ts'
import { withoutStop } from '../util/words.ts'
import { KubeCredentials, type KubeIdentity } from './credentials.ts'
import { findTarget, type KubeEnv, type KubeTarget, readMember, text } from './kubeconfig.ts'

export interface KubeOptions {
  env: KubeEnv
  signal?: AbortSignal | undefined
  /** Default: the current context, or the service account of a pod. */
  context?: string | undefined
  /** How long a list may make no progress (default: 45 s). */
  patienceMs?: number | undefined
}

/** Why an answer is missing. */
export interface KubeFailure {
  /** `missing`: the cluster has no such resource. */
  state: 'forbidden' | 'failed' | 'missing'
  /** One sentence. */
  why: string
  /** The same request can succeed: `soon` where it is overloaded or cut off, `later` where the API server starts again. */
  passes?: 'soon' | 'later' | undefined
  /** When the API server asks to be asked again. */
  afterMs?: number | undefined
  /** The continued list is too old. */
  isExpired?: boolean
  /** No API server answered, or it does not know who asks. */
  isOutOfReach?: boolean
}

interface KubeRequest {
  body?: unknown
  accept?: string
  /** Waits for an API server that starts again, instead of telling soon that it is out of reach. */
  isPatient?: boolean
}

const atOnce = 4
/** More than any page of a list. */
const maxBytes = 256 * 1024 * 1024

/** An API server: connections that are kept, and who asks. */
export class KubeCluster {
  readonly target: KubeTarget
  readonly signal: AbortSignal
  readonly patienceMs: number
  readonly #base: string
  readonly #credentials: KubeCredentials
  readonly #open: (credentials: KubeIdentity) => Promise<HttpConnection>
  /** By the client certificate, which a plug-in may replace. */
  readonly #connections = new Map<string, Promise<HttpConnection>>()

  /** Throws `usage` for a kubeconfig that does not name a cluster. */
  constructor({ env, context, signal, patienceMs = 45_000 }: KubeOptions) {
    this.target = findTarget(env, context)
    this.signal = signal ?? new AbortController().signal
    this.patienceMs = patienceMs
    this.#credentials = new KubeCredentials(this.target, { env, signal })
    const { cluster } = this.target
    const server = URL.parse(text(cluster.server) ?? '')
    if (!server || !/^https?:$/.test(server.protocol))
      throw new ReltError('usage', `The cluster of ${nameOf(this.target)} has no web address.`)
    this.#base = server.href.replace(/\/$/, '')
    const own = readMember(cluster, 'certificate-authority')
    const trusted = certificatesFor(env)
    const proxy = text(cluster['proxy-url'])
    const name = text(cluster['tls-server-name'])
    this.#open = async ({ cert, key }) =>
      (await import('../util/http.ts')).openConnection({
        origin: server.origin,
        proxies: proxiesFor(proxy ? { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } : isLocal(server) ? {} : env),
        // Those of the user come last, and inspected connections have one of them.
        ca: own === undefined ? trusted : [own, ...(trusted?.slice(-1) ?? [])],
        tls: {
          ...(cert !== undefined && key !== undefined && { cert, key }),
          ...(name !== undefined && { servername: name }),
          ...(cluster['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
        },
        connectTimeoutMs: Math.min(patienceMs, 20_000),
        headersTimeoutMs: patienceMs,
        bodyTimeoutMs: patienceMs,
        maxBytes,
        maxConnections: atOnce,
      })
  }

  async [Symbol.asyncDispose]() {
    for (const connection of this.#connections.values()) await (await connection).close()
  }

  /**
   * An answer as an object, or why there is none, after it was asked for as often as it may help. Throws `cancelled`, and errors of
   * credentials.
   */
  async read<T = Record<string, unknown>>(path: string, request: KubeRequest = {}, parse = parseObject as Parse<T>) {
    const since = Date.now()
    for (let tries = 1; ; tries++) {
      const answer = await this.ask(path, request)
      const found = 'body' in answer ? parsed(answer.body, { parse, base: this.#base }) : answer
      if ('value' in found) return found
      const { passes, afterMs } = found
      const waitMs = afterMs ?? Math.min(2 ** tries * 250, longestWaitMs)
      const isLast = tries === maxTries && !(passes === 'later' && request.isPatient)
      const isFinal = passes === undefined || (afterMs === undefined && (isLast || request.body !== undefined))
      if (isFinal || Date.now() + waitMs > since + this.patienceMs) return found
      await wait(waitMs, undefined, { signal: this.signal }).catch(() => {})
    }
  }

  /** One request, and a second one with other credentials where these are refused. Throws `cancelled`, and errors of credentials. */
  async ask(path: string, request: KubeRequest): Promise<KubeFailure | { body: Buffer }> {
    const { generation } = this.#credentials
    const answer = await this.#send(path, request)
    const isRefused = 'why' in answer && answer.isOutOfReach && answer.state === 'forbidden'
    return isRefused && this.#credentials.renew(generation) ? this.#send(path, request) : answer
  }

  async #send(path: string, { body, accept = 'application/json' }: KubeRequest) {
    const credentials = await this.#credentials.current()
    const key = credentials.cert ?? ''
    const known = this.#connections.get(key) ?? this.#open(credentials)
    this.#connections.set(key, known)
    try {
      const answer = await (await known).exchange({
        method: body === undefined ? 'GET' : 'POST',
        url: new URL(this.#base + path),
        headers: { accept, ...(body !== undefined && { 'content-type': 'application/json' }), ...credentials.headers },
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
        signal: this.signal,
      })
      return answer.status < 300 ? { body: answer.body } : failureOf(answer, this.#base)
    } catch (cause) {
      if (this.signal.aborted) throw new ReltError('cancelled', 'The request to the cluster was cancelled.', { cause })
      return failureOfConnection(cause as NodeJS.ErrnoException, this.patienceMs)
    }
  }
}

const maxTries = 4
const longestWaitMs = 5_000

/** Reads an answer. Throws for one that is cut off, and returns undefined for one of something else. */
type Parse<T> = (body: Buffer) => T | undefined

function parseObject(body: Buffer) {
  const value: unknown = JSON.parse(body.toString())
  return isObject(value) ? value : undefined
}

function parsed<T>(body: Buffer, { parse, base }: { parse: Parse<T>; base: string }): KubeFailure | { value: T } {
  // A proxy answers with a page, for example.
  const isCut = body.length === 0 || body[0] === openBrace
  try {
    const value = parse(body)
    return value === undefined ? notApiServer(base) : { value }
  } catch {
    return isCut ? { state: 'failed', why: 'The answer ends too early.', passes: 'soon' } : notApiServer(base)
  }
}

const openBrace = 0x7b

export const nameOf = ({ context }: KubeTarget) => (context === undefined ? 'this pod' : `the context ${context}`)

/** Reached without a proxy, as kubectl does. */
const isLocal = ({ hostname }: URL) => hostname === 'localhost' || /^127\.|^\[::1\]$/.test(hostname)

function notApiServer(base: string): KubeFailure {
  return { state: 'failed', why: `Something other than an API server answers at ${base}.`, isOutOfReach: true }
}

function failureOf({ status, headers, body }: HttpResponse, base: string): KubeFailure {
  const { message, reason } = readStatus(body)
  const why = `${message === undefined ? `The API server answers ${status}` : withoutStop(message).slice(0, 500)}.`
  if (status === 401)
    return { state: 'forbidden', why: 'The API server does not know who asks (401).', isOutOfReach: true }
  if (status === 403) return { state: 'forbidden', why }
  if (status === 404)
    return message === undefined || reason !== undefined ? { state: 'missing', why } : notApiServer(base)
  if (status === 410) return { state: 'failed', why, isExpired: true }
  const afterMs = Number(headers['retry-after']) * 1000 || undefined
  return { state: 'failed', why, ...((status === 429 || status >= 500) && { passes: 'soon', afterMs }) }
}

/** The `Status` with which an API server says what failed. */
function readStatus(body: Buffer): { message?: string | undefined; reason?: string | undefined } {
  try {
    const { message, reason } = JSON.parse(body.toString())
    return { message: text(message), reason: text(reason) }
  } catch {
    return {}
  }
}

function failureOfConnection({ code = '', message }: NodeJS.ErrnoException, patienceMs: number): KubeFailure {
  if (isUntrusted(code)) return { state: 'failed', why: `Its certificate is not trusted: ${code}.`, isOutOfReach: true }
  if (code.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT'))
    return { state: 'failed', why: `No answer within ${patienceMs / 1000} seconds.`, isOutOfReach: true }
  const isCut = /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_SOCKET|ECONNREFUSED|Z_BUF_ERROR)$/.test(code)
  const said =
    code === 'ECONNREFUSED' ? 'The connection was refused' : isCut ? 'The answer was cut off' : message || code
  return {
    state: 'failed',
    why: `${withoutStop(said)}.`,
    isOutOfReach: true,
    passes: code === 'ECONNREFUSED' ? 'later' : isCut ? 'soon' : undefined,
  }
}
