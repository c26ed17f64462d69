import { type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type ConnectionOptions, type HttpConnection, packing, readBody, readStart } from './http-exchange.ts'

/** A connection through the environment's proxy, unless the host is excluded from it. */
export function openProxied(options: ConnectionOptions): HttpConnection {
  const { origin, proxies, ca, maxBytes, cutBody, maxConnections, lookup } = options
  const { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs } = options
  const connect = { timeout: connectTimeoutMs, ...(ca && { ca }) }
  const agent = new EnvHttpProxyAgent({
    allowH2: false,
    connections: maxConnections,
    // For hosts without a proxy, not for the proxy itself.
    connect: { ...connect, ...(lookup && { lookup }) },
    requestTls: connect,
    ...(proxies.http && { httpProxy: proxies.http }),
    ...(proxies.https && { httpsProxy: proxies.https }),
    noProxy: proxies.none ?? '',
  })
  return {
    async exchange({ method, url, headers, body, signal }) {
      const answer = await agent.request({
        origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: { ...packing(url), ...headers },
        ...(body && { body }),
        signal,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: bodyTimeoutMs,
      })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: await (cutBody ? readStart(answer.body, maxBytes) : readBody(answer.body, answer.headers, maxBytes)),
      }
    },
    close: () => agent.destroy(),
  }
}
