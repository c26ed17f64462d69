import type { HttpResponse } from '../../util/http-exchange.ts'
import type { SourceState } from '../source-state.ts'
import type { LocatedResponse } from './connections.ts'
import type { NoAnswer } from './failure.ts'
import type { SourceRequest } from './question.ts'

type Headers = HttpResponse['headers']

export type HttpAnswer =
  /** `url` is the final URL after redirects; `state` makes the next request conditional. */
  | { kind: 'ok'; body: Buffer; headers: Headers; url: string; state: SourceState }
  /** `state` is that of the request. */
  | { kind: 'unchanged'; state: SourceState }
  | { kind: 'denied'; reason: string; status: number; headers: Headers }
  | { kind: 'absent'; reason: string }
  | { kind: 'unreachable'; reason: string; noAnswer?: NoAnswer; retryAt?: number }
  | { kind: 'limited'; retryAt: number }

const usualPauseSeconds = 60

/** Classifies a response; a temporary failure may succeed on retry. */
export function readAnswer(response: LocatedResponse, question: SourceRequest, now: number) {
  const answer = toAnswer(response, question, now)
  return { answer, isPassing: answer.kind === 'limited' || response.status >= 500 }
}

function toAnswer({ status, headers, url, body }: LocatedResponse, question: SourceRequest, now: number): HttpAnswer {
  const { host } = url
  const { state } = question
  const retryAt = toRetryAt(headers, now)
  // GitHub also uses 403 for rate limits.
  const isForbiddenByLimit = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if (status === 429 || (status === 403 && isForbiddenByLimit))
    return { kind: 'limited', retryAt: retryAt ?? now + usualPauseSeconds }
  if (status === 304 && (state?.etag || state?.lastModified)) return { kind: 'unchanged', state }
  if (status === 401 || status === 403)
    return { kind: 'denied', status, headers, reason: `${host} refused access (${status})` }
  const strange = status === 200 ? toStrangeness(headers, question) : status
  if (!strange) return { kind: 'ok', body, headers, url: url.href, state: toState(headers) }
  const reason = `${host} answered ${strange}`
  if (status === 404 || status === 410) return { kind: 'absent', reason }
  return { kind: 'unreachable', reason, ...(retryAt !== undefined && { retryAt }) }
}

export function toHeader(headers: Headers, name: string) {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Undefined for anything but digits, and for a number that no time could be. */
export function toNumber(headers: Headers, name: string) {
  const text = toHeader(headers, name) ?? ''
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

/** Time from `Retry-After`, else from `x-ratelimit-…`; unix seconds. */
function toRetryAt(headers: Headers, now: number) {
  const seconds = toNumber(headers, 'retry-after')
  if (seconds !== undefined) return now + seconds
  const date = Date.parse(toHeader(headers, 'retry-after') ?? '')
  if (!Number.isNaN(date)) return Math.max(now, Math.floor(date / 1000))
  const reset = toNumber(headers, 'x-ratelimit-reset') ?? 0
  return toNumber(headers, 'x-ratelimit-remaining') === 0 && reset > now ? reset : undefined
}

function toStrangeness(headers: Headers, { types }: SourceRequest) {
  const encoding = toHeader(headers, 'content-encoding')?.toLowerCase()
  if (encoding && encoding !== 'gzip' && encoding !== 'identity') return 'in an encoding that was not asked for'
  const type = toHeader(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase()
  if (!type) return 'without saying what it is'
  return types.includes(type) ? undefined : `with ${type.slice(0, 80)}, not ${types[0]}`
}

function toState(headers: Headers): SourceState {
  const etag = toHeader(headers, 'etag')
  const lastModified = toHeader(headers, 'last-modified')
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}
