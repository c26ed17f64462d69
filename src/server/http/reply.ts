import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PublicAnswer } from './catalog-cache.ts'
import type { HttpContext, State } from './state.ts'

const zip = promisify(gzip)
/** Smaller answers gain nothing. */
const worthPacking = 1024

const json = 'application/json; charset=utf-8'

/** Of every answer. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  }
}

/** All headers are known when the answer is made: changing them later costs more than half the throughput. */
function headersOf(state: State): Record<string, string> {
  const headers = commonHeaders(state.requestId)
  if (state.secure) headers['Strict-Transport-Security'] = 'max-age=31536000'
  if (state.closing) headers.Connection = 'close'
  return headers
}

interface Reply {
  status?: number
  type?: string
  headers?: Record<string, string>
}

/** An answer that nobody may keep. */
export function replyText(c: HttpContext, body: string, options: Reply = {}): Promise<Response> {
  return send(c, body, { ...options, headers: { 'Cache-Control': 'no-store', ...options.headers } })
}

export function replyJson(c: HttpContext, value: unknown, options: Reply = {}): Promise<Response> {
  return replyText(c, JSON.stringify(value), options)
}

/** Kept at the edge, and not sent again to who has it. */
export async function replyPublic(c: HttpContext, answer: PublicAnswer): Promise<Response> {
  const { body, tag } = answer
  const headers = {
    'Cache-Control': 'public, max-age=300, s-maxage=3600',
    // A strong tag names bytes, and packed they are others.
    ETag: `"${tag}${isPacked(c, body) ? '-gzip' : ''}"`,
    Vary: 'Accept-Encoding, Authorization, Cookie',
  }
  if (!matches(c.req.header('if-none-match'), tag)) return send(c, body, { headers }, answer)
  return new Response(null, { status: 304, headers: { ...headersOf(c.get('state')), ...headers } })
}

async function send(
  c: HttpContext,
  body: string,
  { status = 200, type = json, headers }: Reply,
  kept: { packed?: Buffer } = {},
): Promise<Response> {
  const all = { ...headersOf(c.get('state')), 'Content-Type': type, Vary: 'Accept-Encoding', ...headers }
  if (!isPacked(c, body)) return new Response(body, { status, headers: all })
  kept.packed ??= await zip(body, { level: 4 })
  return new Response(kept.packed as Uint8Array<ArrayBuffer>, {
    status,
    headers: { ...all, 'Content-Encoding': 'gzip' },
  })
}

const isPacked = (c: HttpContext, body: string): boolean =>
  body.length > worthPacking && acceptsGzip(c.req.header('accept-encoding'))

export function acceptsGzip(header: string | undefined): boolean {
  if (!header) return false
  const wishes = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    wishes.set(name, quality === undefined ? 1 : Number(quality.slice(2)))
  }
  return (wishes.get('gzip') ?? wishes.get('*') ?? 0) > 0
}

function matches(header: string | undefined, tag: string): boolean {
  if (!header) return false
  return header.split(',').some((part) => {
    const each = part.trim().replace(/^W\//, '')
    return each === '*' || each === `"${tag}"` || each === `"${tag}-gzip"`
  })
}
