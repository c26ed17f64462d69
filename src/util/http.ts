import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import {
  type ConnectionOptions,
  type HttpConnection,
  type HttpRequest,
  type HttpResponse,
  packing,
  readAnswer,
} from './http-exchange.ts'
import { proxyFor } from './proxies.ts'

/**
 * Connections to one server, kept open between requests. With a proxy, uses undici; without one Node's own client, which is
 * already loaded, while loading undici would double the time of a command.
 */
export async function openConnection(options: ConnectionOptions): Promise<HttpConnection> {
  const { origin, proxies, ca, tls, maxConnections, lookup } = options
  const proxy = proxyFor(proxies, new URL(origin))
  if (proxy !== undefined) return (await import('./http-proxied.ts')).openProxied(proxy, options)
  const { Agent, request } = origin.startsWith('https:') ? await import('node:https') : await import('node:http')
  const secure = { ...(ca && { ca }), ...tls }
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections, ...secure, ...(lookup && { lookup }) })
  return {
    exchange: (asked) => exchange((url, given, then) => request(url, { ...given, agent }, then), asked, options),
    close: async () => agent.destroy(),
  }
}

type Send = (url: URL, options: RequestOptions, then: (response: IncomingMessage) => void) => ClientRequest

async function exchange(send: Send, asked: HttpRequest, options: ConnectionOptions): Promise<HttpResponse> {
  const { method, url, headers, body, signal } = asked
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const length = body && { 'content-length': String(body.length) }
  const request = send(url, { method, headers: { ...packing(url), ...headers, ...length }, signal }, resolve)
  request.on('error', reject)
  const patience = watch(request, options)
  request.end(body)
  try {
    const response = await promise
    patience.restart('UND_ERR_BODY_TIMEOUT', options.bodyTimeoutMs)
    response.on('data', () => patience.refresh())
    const { statusCode: status = 0, headers: received } = response
    return { status, headers: received, body: await readAnswer(response, received, options) }
  } catch (error) {
    request.destroy()
    throw signal.aborted ? signal.reason : error
  } finally {
    patience.end()
  }
}

/** Ends a request that exceeds its timeouts. */
function watch(request: ClientRequest, { origin, connectTimeoutMs, headersTimeoutMs }: ConnectionOptions) {
  let timer: NodeJS.Timeout | undefined
  const restart = (code: string, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => request.destroy(Object.assign(new Error('it took too long'), { code })), ms)
  }
  const connected = () => restart('UND_ERR_HEADERS_TIMEOUT', headersTimeoutMs)
  restart('UND_ERR_CONNECT_TIMEOUT', connectTimeoutMs)
  request.once('socket', (socket) => {
    if (!socket.connecting) connected()
    else socket.once(origin.startsWith('https:') ? 'secureConnect' : 'connect', connected)
  })
  return { restart, refresh: () => timer?.refresh(), end: () => clearTimeout(timer) }
}
