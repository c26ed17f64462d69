import type { HttpResponse } from '../../util/http-exchange.ts'
import type { SourceState } from '../source-state.ts'
import type { LocatedResponse } from './connections.ts'
import type { NoAnswer } from './failure.ts'
import type { SourceRequest } from './question.ts'

type Headers = HttpResponse['headers']

export type HttpAnswer =
  /** `url` is the final URL after redirects; `state` makes the next request conditional. */
  | { kind: 'ok'; body: Buffer; headers: Headers; url: string; state: SourceState }
  | { kind: 'unchanged'; headers: Headers }
  | { kind: 'denied'; reason: string; status: number; headers: Headers }
  | { kind: 'absent'; reason: string }
  | { kind: 'unreachable'; reason: string; noAnswer?: NoAnswer | undefined; retryAt?: number }
  | { kind: 'limited'; retryAt: number }

const usualPauseSeconds = 60

/** Classifies a response; a temporary failure may succeed on retry. */
export function readAnswer(
  response: LocatedResponse,
  question: SourceRequest,
  now: number,
): { answer: HttpAnswer; isPassing: boolean } {
  const { status, headers, url } = response
  const lasting = (answer: HttpAnswer) => ({ answer, isPassing: false })
  // GitHub also uses 403 for rate limits.
  const isForbiddenByLimit = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if (status === 429 || (status === 403 && isForbiddenByLimit)) {
    return { answer: { kind: 'limited', retryAt: toRetryAt(headers, now) ?? now + usualPauseSeconds }, isPassing: true }
  }
  if (status === 304 && (question.state?.etag || question.state?.lastModified))
    return lasting({ kind: 'unchanged', headers })
  if (status === 404 || status === 410) return lasting({ kind: 'absent', reason: `${url.host} answered ${status}` })
  if (status === 401 || status === 403) {
    return lasting({ kind: 'denied', status, headers, reason: `${url.host} refused access (${status})` })
  }
  if (status !== 200) {
    const retryAt = status === 503 ? toRetryAt(headers, now) : undefined
    const reason = `${url.host} answered ${status}`
    return {
      answer: { kind: 'unreachable', reason, ...(retryAt !== undefined && { retryAt }) },
      isPassing: status >= 500,
    }
  }
  const strange = toStrangeness(headers, question)
  if (strange) return lasting({ kind: 'unreachable', reason: `${url.host} answered ${strange}` })
  return lasting({ kind: 'ok', body: response.body, headers, url: url.href, state: toState(headers) })
}

export function toHeader(headers: Headers, name: string) {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Time from `x-ratelimit-…`, else from `Retry-After`; unix seconds. */
function toRetryAt(headers: Headers, now: number) {
  const after = toHeader(headers, 'retry-after')
  if (after && /^\d{1,6}$/.test(after)) return now + Number(after)
  const date = after ? Date.parse(after) : Number.NaN
  if (!Number.isNaN(date)) return Math.max(now, Math.floor(date / 1000))
  const reset = Number(toHeader(headers, 'x-ratelimit-reset'))
  return toHeader(headers, 'x-ratelimit-remaining') === '0' && reset > now ? reset : undefined
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
