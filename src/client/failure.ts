import { type ErrorCode, errorTable, type Origin, ReltError } from '../errors.ts'
import type { HttpResponse } from '../util/http-exchange.ts'
import { isObject, parseJson } from '../util/json.ts'
import { version } from '../version.ts'

/** Converts an answer with status 400 or above to the error that the server threw. */
export function toFailure(response: HttpResponse) {
  const { status } = response
  const body = readBody(response)
  const wire = typeof body?.code === 'string' ? body.code : undefined
  const code = codeFor(wire, status)
  const retryAfter = toRetryAfter(response)
  const lacksRoute =
    code === 'method_not_allowed' || (code === 'not_found' && `${body?.message}`.startsWith('No route was found'))
  const origin = { ...toOrigin(response), ...(lacksRoute && { lacksRoute }) }
  const details = {
    ...hintFor(code, origin, retryAfter),
    ...(retryAfter !== undefined && { retryAfter }),
    origin,
  }
  if (wire === undefined || typeof body?.message !== 'string') {
    const why = body ? 'and not as the contract says' : 'and its body is no JSON'
    return new ReltError(code, `The server answered ${status}, ${why}.`, {
      hint: 'Check the address of the server, and whether a proxy answers in its place.',
      ...details,
    })
  }
  const params = toParams(body.data)
  return new ReltError(code, body.message.slice(0, maxText), { ...details, ...(params && { params }) })
}

const maxText = 2000

export function toOrigin({ headers }: HttpResponse): Origin {
  return { requestId: printable(headers['x-request-id']), version: printable(headers['x-relt-version']) }
}

/** Seconds that the server asks to wait: from a number, or a date. */
function toRetryAfter({ headers }: HttpResponse) {
  const header = headers['retry-after']
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

function readBody({ body }: HttpResponse) {
  try {
    const value = parseJson(body, 'The answer')
    return isObject(value) ? value : {}
  } catch {
    return undefined
  }
}

/** One error name in the API can stand for several codes, which the status distinguishes. */
function codeFor(wire: string | undefined, status: number): ErrorCode {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const named = codes.filter((code) => errorTable[code].wire === wire)
  const exact = named.find((code) => errorTable[code].status === status)
  if (exact) return exact
  if (status === 502 || status === 504) return 'unreachable'
  if (status === 500) return 'internal'
  return codes.find((code) => errorTable[code].status === status) ?? (status < 500 ? 'invalid_param' : 'internal')
}

function hintFor(
  code: ErrorCode,
  { lacksRoute, version: other = 'an unknown version' }: Origin,
  retryAfter: number | undefined,
): { hint?: string } {
  if (lacksRoute) {
    return { hint: `This is relt ${version}, the server has ${other}: it may be too old for this command.` }
  }
  if (code === 'unauthenticated') return { hint: 'Sign in: relt auth login' }
  if (code !== 'rate_limited' && code !== 'busy' && code !== 'unreachable') return {}
  return { hint: retryAfter ? `Try again in ${retryAfter} seconds.` : 'Try again.' }
}

function toParams(data: unknown): Record<string, string> | undefined {
  const params = isObject(data) ? data.params : undefined
  if (!isObject(params)) return undefined
  const texts = Object.entries(params).flatMap(([name, reason]): [string, string][] =>
    typeof reason === 'string' ? [[name.slice(0, 100), reason.slice(0, maxText)]] : [],
  )
  return texts.length === 0 ? undefined : Object.fromEntries(texts.slice(0, 50))
}

function printable(header: string | string[] | undefined) {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}
