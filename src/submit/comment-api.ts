import { setTimeout as pause } from 'node:timers/promises'
import type { CommentPlace } from '../ci/comment/place.ts'
import { ReltError } from '../errors.ts'
import type { HttpConnection, HttpResponse } from '../util/http-exchange.ts'
import { isObject, parseJson } from '../util/json.ts'
import { unseen } from '../util/unseen.ts'
import { version } from '../version.ts'

const timeoutMs = 30_000
/** The longest rate limit to wait for, and how often. */
const longestWaitSeconds = 60
const maxWaits = 2

interface ApiAnswer {
  body: unknown
  /** Whether there is a next page; undefined if the answer has no links at all. */
  hasNext: boolean | undefined
}

export type ApiCall = (method: string, path: string, sent?: unknown) => Promise<ApiAnswer>

/** A client of GitHub's or GitLab's API. Its calls throw `ReltError`, which never contains the token. */
export function commentApi(
  connection: HttpConnection,
  place: CommentPlace,
  {
    wait = (ms) => pause(ms),
    now = () => Date.now() / 1000,
  }: { wait?: ((ms: number) => Promise<void>) | undefined; now?: () => number } = {},
): ApiCall {
  return async (method, path, sent) => {
    for (let waits = 0; ; waits++) {
      const response = await exchange(connection, place, { method, path, sent })
      const seconds = limitedFor(response, now())
      if (seconds === undefined) return answerFor(response, place)
      if (waits === maxWaits || seconds > longestWaitSeconds) throw limited(place, seconds)
      await wait(Math.max(1, seconds) * 1000)
    }
  }
}

async function exchange(
  connection: HttpConnection,
  { api, headers }: CommentPlace,
  { method, path, sent }: { method: string; path: string; sent?: unknown },
): Promise<HttpResponse> {
  const url = new URL(api + path)
  const content = sent === undefined ? undefined : Buffer.from(JSON.stringify(sent))
  return connection
    .exchange({
      method,
      url,
      headers: {
        ...headers,
        ...(content && { 'content-type': 'application/json' }),
        'user-agent': `relt/${version}`,
      },
      body: content,
      signal: AbortSignal.timeout(timeoutMs),
    })
    .catch((cause: NodeJS.ErrnoException) => {
      throw new ReltError('unreachable', `${url.host} cannot be reached (${cause.code ?? cause.name}).`)
    })
}

/**
 * Seconds until a rate limit ends; undefined without one. GitHub returns 403 with no requests remaining or with
 * `retry-after`, and both services 429. Source:
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function limitedFor({ status, headers }: HttpResponse, now: number): number | undefined {
  const isLimited = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if (status !== 429 && !(status === 403 && isLimited)) return undefined
  const after = Number(headers['retry-after'])
  if (headers['retry-after'] !== undefined && after >= 0) return after
  const end = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'])
  return end > 0 ? Math.max(0, Math.ceil(end - now)) : longestWaitSeconds
}

function limited({ api }: CommentPlace, seconds: number): ReltError {
  const when = seconds >= 120 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds)} seconds`
  return new ReltError('rate_limited', `${new URL(api).host} limits the rate of requests, for ${when} from now.`)
}

function answerFor({ status, headers, body }: HttpResponse, { api, permission }: CommentPlace): ApiAnswer {
  const { host } = new URL(api)
  const { link } = headers
  const hasNext = link === undefined ? undefined : /;\s*rel="?next"?/.test(String(link))
  if (status >= 200 && status < 300) {
    return { body: body.length > 0 ? parseJson(body, `The answer of ${host}`) : undefined, hasNext }
  }
  if (status === 401) throw new ReltError('unauthenticated', `${host} does not accept the token.`)
  if (status === 403 || status === 404) {
    throw new ReltError('forbidden', `The token may not do this on ${host}: it needs ${permission}.`)
  }
  const why = reasonIn(body)
  throw new ReltError('bad_answer', `${host} answered ${status}${why === '' ? '' : `: ${why}`}.`)
}

const longestReason = 200

/** The service's error message, in one line. */
function reasonIn(body: Buffer): string {
  try {
    const { message, error, errors } = JSON.parse(body.toString('utf8'))
    const parts = [message, error, ...(Array.isArray(errors) ? errors : [])]
    const texts = parts.flatMap((part) => {
      const text = isObject(part) ? (part.message ?? part.code) : part
      return typeof text === 'string' ? [text.replace(unseen, ' ').trim()] : []
    })
    return [...new Set(texts)].join('; ').slice(0, longestReason).replace(/\.$/, '')
  } catch {
    return ''
  }
}
