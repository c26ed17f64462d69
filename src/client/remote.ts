import type * as z from 'zod/mini'
import { loadRoute } from '../contract/load-route.ts'
import type { ReceivedAnswer, RouteName } from '../contract/routes.ts'
import { type Origin, ReltError } from '../errors.ts'
import type { HttpResponse } from '../util/http-exchange.ts'
import { parseJson } from '../util/json.ts'
import type { Proxies } from '../util/proxies.ts'
import { version } from '../version.ts'
import type { Client } from './client.ts'
import type { OnExchange } from './exchange.ts'
import { toOrigin } from './failure.ts'
import { namingFeature } from './missing-feature.ts'
import { type RequestInput, type RouteRequest, toRequest, toSearch } from './route-request.ts'
import { Transport } from './transport.ts'

export interface Credentials {
  username: string
  password: string
}

export interface RemoteOptions {
  /** Base URL of the API, without a trailing slash. */
  url: string
  /** Called when a request first needs credentials. */
  credentials?: (() => Promise<Credentials | undefined>) | undefined
  /** PEM file of certificates to trust in addition to the default ones. */
  caFile?: string | undefined
  /** Team to act for, instead of the default one. */
  team?: string | undefined
  proxies?: Proxies
  /** Time limit of a call, including retries. */
  timeoutMs?: number
  onExchange?: OnExchange | undefined
  /** Size limit of a decompressed answer. */
  maxBytes?: number
}

const defaults = {
  timeoutMs: 120_000,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 60_000,
  bodyTimeoutMs: 30_000,
  // A report of 100 MB with its envelope.
  maxBytes: 128 * 1024 * 1024,
  maxConnections: 6,
}

/** The contract over HTTP, for any server that implements it. */
export function createRemoteClient(options: RemoteOptions): Client {
  const server = openServer(options)
  return {
    async call<N extends RouteName>(name: N, input: RequestInput) {
      const route = await loadRoute(name)
      const request = await toRequest(route, input)
      const response = await (route.cachedPublicly ? server.readPublic(request) : server.send(request, true)).catch(
        (error: unknown) => {
          throw namingFeature(name, route, error)
        },
      )
      const shape = (await route.received?.()) ?? route.answer
      return checkAnswer(shape, readJson(response), toOrigin(response)) as ReceivedAnswer<N>
    },
    async request({ method, path, query = {}, body }) {
      const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
      const below = pathBelow(options.url, path)
      const search = toSearch(query)
      const target = below.includes('?') ? below + search.replace('?', '&') : below + search
      return readJson(await server.send({ method, path: target, headers, ...(body && { body }) }, true))
    },
    async download<N extends RouteName>(name: N, input: RequestInput) {
      const route = await loadRoute(name)
      const response = await server.send(await toRequest(route, input), true)
      const { splitReport } = await import('./split-report.ts')
      const { run, report } = parsed(response, () => splitReport(response.body))
      const shape = (await route.received?.()) ?? route.answer
      return { answer: checkAnswer(shape, run, toOrigin(response)) as ReceivedAnswer<N>, report }
    },
    close: () => server.close(),
  }
}

/** Validates the answer by the contract's schema, and drops unknown fields. Throws `bad_answer`. */
function checkAnswer(shape: z.ZodMiniType, value: unknown, origin: Origin) {
  const checked = shape.safeParse(value)
  if (checked.success) return checked.data
  const issue = checked.error.issues[0]!
  const { path, message } = issue
  const why = issue.code === 'invalid_type' ? `${issue.expected} is expected` : message
  const where = path.length === 0 ? 'it as a whole' : `field ${path.join('.')}`
  const text = `The server's answer is not what the contract says: ${where}: ${why}.`
  throw new ReltError('bad_answer', text.slice(0, 500), {
    hint: 'Check that the address is that of the interface, and that server and client have the same version.',
    origin,
  })
}

/** A server, with the credentials and team of requests to it. */
function openServer(options: RemoteOptions) {
  const { url, team, timeoutMs = defaults.timeoutMs, maxBytes = defaults.maxBytes, onExchange } = options
  const transport = new Transport({ connect: () => connect(options, maxBytes), timeoutMs, maxBytes, onExchange })
  let authorization: Promise<string | undefined> | undefined
  let knowsTeams: Promise<void> | undefined
  return { send, readPublic, close: () => transport.close() }

  async function send(request: RouteRequest, authorized: boolean) {
    if (team === undefined || !authorized) return transmit(request, authorized)
    if (request.method !== 'GET') await requireTeams()
    const response = await transmit(request, authorized)
    requireEcho(response)
    return response
  }

  /** Sent with credentials only if the server demands them: the catalog needs no account. */
  async function readPublic(request: RouteRequest) {
    try {
      return await send(request, false)
    } catch (error) {
      const needsCredentials = error instanceof ReltError && ['unauthenticated', 'forbidden'].includes(error.code)
      if (!needsCredentials || (await authorize()) === undefined) throw error
      return send(request, true)
    }
  }

  function authorize() {
    authorization ??= Promise.resolve(options.credentials?.()).then((given) => given && basic(given))
    return authorization
  }

  /**
   * A server that ignores the header would store an upload for another owner, so its support is checked before the first
   * change.
   */
  function requireTeams() {
    knowsTeams ??= transmit({ method: 'GET', path: '/api-keys/current', headers: {} }, true).then(
      (response) => requireEcho(response),
      (error: unknown) => {
        const isMissingRoute = error instanceof ReltError && error.code === 'not_found' && !error.origin?.version
        throw isMissingRoute ? withoutTeams(error) : error
      },
    )
    return knowsTeams
  }

  function requireEcho({ headers }: HttpResponse) {
    if (headers['x-relt-team'] !== undefined) return
    throw withoutTeams()
  }

  function withoutTeams(cause?: unknown) {
    return new ReltError('usage', `This server has no teams, so it cannot act for ${team}.`, {
      hint: 'Leave out --team, or unset RELT_TEAM.',
      cause,
    })
  }

  async function transmit({ method, path, headers, body }: RouteRequest, authorized: boolean) {
    const signedAs = authorized ? await authorize() : undefined
    return transport.send({
      method,
      url: new URL(url + path),
      headers: {
        accept: 'application/json',
        'user-agent': `relt/${version}`,
        ...headers,
        ...(signedAs !== undefined && { authorization: signedAs }),
        ...(signedAs !== undefined && team !== undefined && { 'x-relt-team': team }),
      },
      body,
      repeatable: method === 'GET' || 'idempotency-key' in headers,
    })
  }
}

async function connect(options: RemoteOptions, maxBytes: number) {
  const { url, caFile, proxies = { http: undefined, https: undefined, none: undefined } } = options
  const { openConnection } = await import('../util/http.ts')
  const ca = caFile === undefined ? undefined : (await import('../config/certificates.ts')).readCertificates(caFile)
  return openConnection({ ...defaults, maxBytes, origin: new URL(url).origin, proxies, ca })
}

/** A path below the base URL, also if given as a full URL. Throws `usage` if it is elsewhere. */
function pathBelow(base: string, path: string) {
  const isWhole = path.startsWith(`${base}/`)
  const below = isWhole ? path.slice(base.length) : `/${path.replace(/^\//, '')}`
  const isElsewhere = !isWhole && /^[a-z]+:/i.test(path)
  if (!isElsewhere && URL.parse(base + below)?.href.startsWith(`${base}/`)) return below
  throw new ReltError('usage', `This path is not below ${base}.`, { hint: 'Write it as /projects.' })
}

const readJson = (response: HttpResponse) => parsed(response, () => parseJson(response.body, "The server's answer"))

function parsed<T>(response: HttpResponse, read: () => T) {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ReltError)) throw cause
    const isPage = String(response.headers['content-type']).startsWith('text/html')
    throw new ReltError('bad_answer', isPage ? 'The server answered with a page for people.' : cause.message, {
      hint: 'Check that the address is that of the interface, such as https://host/api/relt/v1.',
      origin: toOrigin(response),
      cause,
    })
  }
}

function basic({ username, password }: Credentials) {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
