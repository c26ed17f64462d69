import { ProxyAgent } from 'undici'
import { type ConnectionOptions, type HttpConnection, packing, readAnswer } from './http-exchange.ts'

/** A connection through a proxy. */
export function openProxied(proxy: string, options: ConnectionOptions): HttpConnection {
  const { origin, ca, tls, maxConnections, connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs } = options
  const agent = new ProxyAgent({
    uri: proxy,
    allowH2: false,
    connections: maxConnections,
    requestTls: { timeout: connectTimeoutMs, ...(ca && { ca }), ...tls },
  })
  return {
    async exchange({ method, url, headers, body, signal }) {
      const answer = await agent.request({
        origin,
        path: url.pathname + url.search,
        method,
        headers: { ...packing(url), ...headers },
        ...(body && { body }),
        signal,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: bodyTimeoutMs,
      })
      const { statusCode: status, headers: received } = answer
      return { status, headers: received, body: await readAnswer(answer.body, received, options) }
    },
    close: () => agent.destroy(),
  }
}
