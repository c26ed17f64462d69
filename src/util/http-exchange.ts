import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SecureContextOptions } from 'node:tls'
import type { Proxies } from './proxies.ts'

export interface HttpRequest {
  method: string
  url: URL
  headers: Record<string, string | string[]>
  body?: Uint8Array | undefined
  /** Aborts the whole request. */
  signal: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface ConnectionOptions {
  origin: string
  proxies: Proxies
  /** Trusted certificates in PEM, in place of the defaults. */
  ca: string[] | undefined
  /** Certificate of the client, and how that of the server is verified. */
  tls?: Pick<SecureContextOptions, 'cert' | 'key'> & { servername?: string; rejectUnauthorized?: boolean }
  connectTimeoutMs: number
  /** Timeout between the request and the first byte of the answer. */
  headersTimeoutMs: number
  /** Timeout between two chunks of the answer. */
  bodyTimeoutMs: number
  /** Size limit of a decompressed answer. */
  maxBytes: number
  /** If the answer is longer, slower or broken, return its start instead of failing: only its status matters. */
  cutBody?: boolean
  /** Maximum parallel requests. */
  maxConnections: number
  /** Resolves the host of a direct connection. A proxy resolves names itself. */
  lookup?: LookupFunction | undefined
}

export interface HttpConnection {
  /** One request, one answer. Throws errors with a `code`: those of Node and undici, and `ANSWER_TOO_LARGE`. */
  exchange(request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

/** Requests no compression on this machine, where it gains nothing. */
export function packing({ hostname }: URL): Record<string, string> {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? {} : { 'accept-encoding': 'gzip' }
}

/** Whether an error code means an untrusted server certificate. */
export function isUntrusted(code: string) {
  return /CERT|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_|^HOSTNAME_MISMATCH$/.test(code)
}

const tooLarge = () => Object.assign(new Error('the answer is too large'), { code: 'ANSWER_TOO_LARGE' })

/** The first bytes of an answer, as far as received. */
async function readStart(body: Readable, maxBytes: number) {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
  } catch {
    // The status was received before.
  }
  body.destroy()
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** Reads an answer as its connection asks for. */
export function readAnswer(body: Readable, headers: HttpResponse['headers'], options: ConnectionOptions) {
  const { maxBytes, cutBody } = options
  return cutBody ? readStart(body, maxBytes) : readBody(body, headers, maxBytes)
}

/** Enforces the size limit while reading, compressed and decompressed, so that no server exhausts memory. */
async function readBody(body: Readable, headers: HttpResponse['headers'], maxBytes: number) {
  if (Number(headers['content-length']) > maxBytes) {
    body.destroy()
    throw tooLarge()
  }
  const collect = (source: AsyncIterable<Buffer>) => collectWithin(source, maxBytes)
  if (headers['content-encoding'] !== 'gzip') return pipeline(body, collect)
  return pipeline(body, (await import('node:zlib')).createGunzip(), collect)
}

async function collectWithin(source: AsyncIterable<Buffer>, maxBytes: number) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
