import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher, Pool as PoolType } from 'undici'
import request from 'undici/lib/api/api-request.js'
import Pool from 'undici/lib/dispatcher/pool.js'

export interface HttpRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body?: Uint8Array | undefined
  /** Ends the whole of it. */
  signal: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface ConnectionOptions {
  origin: string
  proxies: { http: string | undefined; https: string | undefined; none: string | undefined }
  /** Certificates that are trusted beside those of Node, PEM. */
  ca: string[] | undefined
  connectTimeoutMs: number
  /** Between the request and the first byte of the answer. */
  headersTimeoutMs: number
  /** Between two pieces of the answer. */
  bodyTimeoutMs: number
  /** Of an answer, unpacked. */
  maxBytes: number
}

export interface HttpConnection {
  /** One request, one answer. Throws errors with a `code`: those of Node and undici, and `ANSWER_TOO_LARGE`. */
  exchange(request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

const tooLarge = () => Object.assign(new Error('the answer is too large'), { code: 'ANSWER_TOO_LARGE' })

/** Connections to one server, kept open between requests. */
export async function openConnection(options: ConnectionOptions): Promise<HttpConnection> {
  const dispatcher = await openDispatcher(options)
  const { origin, maxBytes, headersTimeoutMs, bodyTimeoutMs } = options
  return {
    async exchange({ method, url, headers, body, signal }) {
      const answer = await request.call(dispatcher, {
        origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': 'gzip', ...headers },
        ...(body && { body }),
        signal,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: bodyTimeoutMs,
      })
      const { statusCode, headers: answerHeaders } = answer
      return { status: statusCode, headers: answerHeaders, body: await readBody(answer, maxBytes) }
    },
    close: () => dispatcher.destroy(),
  }
}

async function openDispatcher(options: ConnectionOptions): Promise<Dispatcher> {
  const { origin, proxies, ca, connectTimeoutMs } = options
  const settings = {
    allowH2: false,
    connections: 6,
    connect: { timeout: connectTimeoutMs, ...(ca && { ca }) },
  } satisfies PoolType.Options
  if (!proxies.http && !proxies.https) return new Pool(origin, settings)
  // It asks the connections for methods that only the whole of undici gives them.
  const { default: undici } = await import('undici')
  return new undici.EnvHttpProxyAgent({
    ...settings,
    requestTls: settings.connect,
    ...(proxies.http && { httpProxy: proxies.http }),
    ...(proxies.https && { httpsProxy: proxies.https }),
    noProxy: proxies.none ?? '',
  })
}

/** Within the bound while it comes, packed and unpacked: nobody fills our memory. */
async function readBody({ body, headers }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (Number(headers['content-length']) > maxBytes) {
    body.destroy()
    throw tooLarge()
  }
  const collect = (source: AsyncIterable<Buffer>) => collectWithin(source, maxBytes)
  if (headers['content-encoding'] !== 'gzip') return pipeline(body as Readable, collect)
  const { createGunzip } = await import('node:zlib')
  return pipeline(body as Readable, createGunzip(), collect)
}

async function collectWithin(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
