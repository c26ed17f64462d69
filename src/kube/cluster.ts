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
  onLine?: (line: string) => void
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
  /** Path with query, below the address of the cluster. */
  path: string
  body?: unknown
  accept?: string
  /** Takes the answer as it arrives. */
  onChunk?: (chunk: Buffer) => void
}

const atOnce = 4
const maxTextBytes = 32 * 1024 * 1024
const maxListBytes = 4 * 1024 * 1024 * 1024

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
  constructor({ env, context, signal, patienceMs = 45_000, onLine = () => {} }: KubeOptions) {
    this.target = findTarget(env, context)
    this.signal = signal ?? new AbortController().signal
    this.patienceMs = patienceMs
    this.#credentials = new KubeCredentials(this.target, { env, signal, onLine })
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
        proxies: proxy ? { http: proxy, https: proxy, none: undefined } : isLocal(server) ? direct : proxiesFor(env),
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
        maxBytes: maxListBytes,
        maxConnections: atOnce,
      })
  }

  async [Symbol.asyncDispose]() {
    for (const connection of this.#connections.values()) await (await connection).close()
  }

  /** A small answer as an object; its failure otherwise. */
  async read(path: string, more: Pick<KubeRequest, 'body' | 'accept'> = {}) {
    const chunks: Buffer[] = []
    let length = 0
    const onChunk = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxTextBytes) throw new ReltError('too_large', 'An answer of the cluster is unexpectedly large.')
      chunks.push(chunk)
    }
    const tries = new Tries(this)
    for (;;) {
      const failure = await this.request({ path, ...more, onChunk })
      if (!failure) break
      // A cluster that is out of reach is told soon, while a list waits for it; and without a review, a list is tried.
      const isFinal = more.body !== undefined && failure.afterMs === undefined
      if (isFinal || !(await tries.again({ ...failure, passes: failure.passes && 'soon' }))) return failure
      chunks.length = length = 0
    }
    try {
      const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      if (isObject(value)) return { value }
    } catch {
      // A proxy answers with a page, for example.
    }
    return notApiServer(this.#base)
  }

  /** Why there is no answer; undefined if it was taken. Throws `cancelled`, errors of credentials and of `onChunk`. */
  async request(request: KubeRequest): Promise<KubeFailure | undefined> {
    const { generation } = this.#credentials
    const failure = await this.#ask(request)
    const isRefused = failure?.isOutOfReach && failure.state === 'forbidden'
    return isRefused && this.#credentials.renew(generation) ? this.#ask(request) : failure
  }

  async #ask({ path, body, accept = 'application/json', onChunk }: KubeRequest): Promise<KubeFailure | undefined> {
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
        onChunk,
      })
      // An answer to a review is short, and says that it was created.
      if (answer.status === 201) onChunk?.(answer.body)
      return answer.status < 300 ? undefined : failureOf(answer, this.#base)
    } catch (cause) {
      if (this.signal.aborted) throw new ReltError('cancelled', 'The request to the cluster was cancelled.', { cause })
      if (cause instanceof ReltError) throw cause
      return failureOfConnection(cause as NodeJS.ErrnoException, this.patienceMs)
    }
  }
}

const maxTries = 4
const longestWaitMs = 5_000

/** Asks again after a failure that passes: a few times while the API server fails, as long as there is patience while it starts. */
export class Tries {
  readonly #cluster: Pick<KubeCluster, 'patienceMs' | 'signal'>
  readonly #since = Date.now()
  #tries = 0

  constructor(cluster: Pick<KubeCluster, 'patienceMs' | 'signal'>) {
    this.#cluster = cluster
  }

  /** Waits; false if the failure stands. */
  async again({ passes, afterMs }: KubeFailure): Promise<boolean> {
    const { patienceMs, signal } = this.#cluster
    const waitMs = afterMs ?? Math.min(2 ** this.#tries++ * 500, longestWaitMs)
    const isOver = Date.now() + waitMs > this.#since + patienceMs
    if (passes === undefined || isOver || (passes === 'soon' && this.#tries === maxTries)) return false
    await wait(waitMs, undefined, { signal }).catch(() => {})
    return true
  }
}

export const nameOf = ({ context }: KubeTarget) => (context === undefined ? 'this pod' : `the context ${context}`)

const direct = { http: undefined, https: undefined, none: undefined }

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
  const seconds = Number(headers['retry-after'])
  const afterMs = seconds > 0 ? seconds * 1000 : undefined
  return { state: 'failed', why, ...((status === 429 || status >= 500) && { passes: 'soon', afterMs }) }
}

/** The `Status` with which an API server says what failed. */
function readStatus(body: Buffer): { message?: string | undefined; reason?: string | undefined } {
  try {
    const { message, reason } = JSON.parse(body.subarray(0, maxTextBytes).toString('utf8'))
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
