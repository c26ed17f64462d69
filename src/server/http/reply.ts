import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { version } from '../../version.ts'
import type { PublicAnswer } from './catalog-cache.ts'
import type { HttpContext, RequestState } from './state.ts'

const zip = promisify(gzip)
/** Compressing smaller answers gains nothing. */
const worthPacking = 1024

const json = 'application/json; charset=utf-8'

/** Headers that every answer has. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Relt-Version': version,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  }
}

type ReplyState = Pick<RequestState, 'requestId' | 'secure' | 'closing' | 'user' | 'team'>

/** Sets all headers when the answer is created: changing them later costs more than half the throughput. */
function toHeaders(state: ReplyState) {
  const headers = commonHeaders(state.requestId)
  if (state.secure) headers['Strict-Transport-Security'] = 'max-age=31536000'
  // Confirms the team to clients that chose one, so that they know that this server supports teams.
  if (state.team !== undefined && state.user) headers['X-Relt-Team'] = state.team
  if (state.closing) headers.Connection = 'close'
  return headers
}

/** Adds the common headers to an answer from a library. */
export function addHeaders(c: HttpContext, { body, status, headers: own }: Response) {
  const headers = new Headers(own)
  for (const [name, value] of Object.entries(toHeaders(c.get('state')))) headers.set(name, value)
  headers.set('Cache-Control', 'no-store')
  return new Response(body, { status, headers })
}

interface Reply {
  status?: number
  type?: string
  headers?: Record<string, string>
  /** Values of `Set-Cookie`, for an uncompressed answer. */
  cookies?: string[]
}

/** An answer that must not be cached. */
export function replyText(c: HttpContext, body: string | Uint8Array<ArrayBuffer>, options: Reply = {}) {
  return send(c, body, { ...options, headers: { 'Cache-Control': 'no-store', ...options.headers } })
}

/** 304 for a client with the current tag. `headers` are those of the full answer. */
export function replyUnchanged(c: HttpContext, headers: Record<string, string>) {
  return new Response(null, {
    status: 304,
    headers: { ...toHeaders(c.get('state')), Vary: 'Accept-Encoding', ...headers },
  })
}

export function replyJson(c: HttpContext, value: unknown, options: Reply = {}) {
  return replyText(c, JSON.stringify(value), options)
}

/** Request headers that a public answer depends on. */
interface NegotiationHeaders {
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

/** A cacheable answer, or 304 for a client that has it. Undefined while the body is not compressed yet. */
export function publicParts(
  { body, tag, packed }: PublicAnswer,
  { acceptEncoding, ifNoneMatch }: NegotiationHeaders,
  state: ReplyState,
) {
  const isPacked = mustPack(body.length, acceptEncoding)
  const headers: Record<string, string> = {
    ...toHeaders(state),
    'Cache-Control': 'public, max-age=300, s-maxage=3600',
    // A strong ETag identifies bytes, which differ when compressed.
    ETag: `"${tag}${isPacked ? '-gzip' : ''}"`,
    Vary: 'Accept-Encoding, Authorization, Cookie',
  }
  if (matches(ifNoneMatch, tag)) return { status: 304, headers, body: null }
  const sent = isPacked ? packed : body
  if (!sent) return undefined
  headers['Content-Type'] = json
  headers['Content-Length'] = String(Buffer.byteLength(sent))
  if (isPacked) headers['Content-Encoding'] = 'gzip'
  return { status: 200, headers, body: sent }
}

export async function replyPublic(c: HttpContext, answer: PublicAnswer) {
  const asking = { acceptEncoding: c.req.header('accept-encoding'), ifNoneMatch: c.req.header('if-none-match') }
  let parts = publicParts(answer, asking, c.get('state'))
  if (!parts) {
    answer.packed = await pack(answer.body)
    parts = publicParts(answer, asking, c.get('state'))!
  }
  const { status, headers, body } = parts
  c.get('state').bytes = body ? Buffer.byteLength(body) : 0
  return new Response(body, { status, headers })
}

/** The same answer for all users, but not cacheable by shared caches. The body is compressed once. */
export async function replyUncached(c: HttpContext, answer: PublicAnswer) {
  const isPacked = mustPack(answer.body.length, c.req.header('accept-encoding'))
  if (!isPacked) return replyText(c, answer.body)
  answer.packed ??= await pack(answer.body)
  return replyText(c, answer.packed, { headers: { 'Content-Encoding': 'gzip' } })
}

async function pack(body: string | Uint8Array) {
  return await zip(body, { level: 4 })
}

async function send(
  c: HttpContext,
  body: string | Uint8Array<ArrayBuffer>,
  { status = 200, type = json, headers, cookies }: Reply,
) {
  const all = { ...toHeaders(c.get('state')), 'Content-Type': type, Vary: 'Accept-Encoding', ...headers }
  const isPacked = headers?.['Content-Encoding'] !== undefined || cookies !== undefined
  const sent = !isPacked && mustPack(body.length, c.req.header('accept-encoding')) ? await pack(body) : body
  c.get('state').bytes = Buffer.byteLength(sent)
  if (cookies) return new Response(sent, { status, headers: [...Object.entries(all), ...cookies.map(setCookie)] })
  if (sent === body) return new Response(body, { status, headers: all })
  return new Response(sent, { status, headers: { ...all, 'Content-Encoding': 'gzip' } })
}

const setCookie = (cookie: string): [string, string] => ['Set-Cookie', cookie]

const mustPack = (size: number, acceptEncoding: string | undefined) =>
  size > worthPacking && acceptsGzip(acceptEncoding)

export function acceptsGzip(header: string | undefined) {
  if (!header) return false
  const wishes = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    wishes.set(name, quality === undefined ? 1 : Number(quality.slice(2)))
  }
  return (wishes.get('gzip') ?? wishes.get('*') ?? 0) > 0
}

export function matches(header: string | undefined, tag: string) {
  if (!header) return false
  return header.split(',').some((part) => {
    const each = part.trim().replace(/^W\//, '')
    return each === '*' || each === `"${tag}"` || each === `"${tag}-gzip"`
  })
}
