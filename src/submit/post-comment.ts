import type { CommentPlace } from '../ci/comment/place.ts'
import { ReltError } from '../errors.ts'
import type { HttpConnection } from '../util/http-exchange.ts'
import { isObject, parseJson } from '../util/json.ts'
import { version } from '../version.ts'

const timeoutMs = 30_000
const pageSize = 100
/** A request with more comments gets a new one. */
const maxPages = 20

interface PostOptions {
  /** Opens a connection to an origin. */
  connect: (origin: string) => Promise<HttpConnection>
  /** First line of the comment to change, if there is one. */
  marker: string
  body: string
}

/**
 * Writes one comment, and changes it from then on. Only a comment of the same account is changed: anyone may write one
 * that looks like it. Throws `ReltError`, without anything of the token.
 */
export async function postComment(
  place: CommentPlace,
  { connect, marker, body }: PostOptions,
): Promise<'created' | 'updated'> {
  const url = new URL(place.api)
  const connection = await connect(url.origin)
  const call = (method: string, path: string, sent?: unknown) => exchange(connection, place, { method, path, sent })
  try {
    const isOwn = await ownership(call)
    const id = await findComment(call, place, (comment) => isOwn(comment) && startsWith(comment, marker))
    if (id === undefined) await call('POST', place.comments, { body })
    else await call(place.edit, `${place.comment}/${id}`, { body })
    return id === undefined ? 'created' : 'updated'
  } finally {
    await connection.close()
  }
}

type Call = (method: string, path: string, sent?: unknown) => Promise<unknown>

/** A pipeline's own token on GitHub may not ask who it is. It is a bot, and only apps are. */
async function ownership(call: Call): Promise<(comment: Record<string, unknown>) => boolean> {
  const user = await call('GET', '/user').catch((error: unknown) => {
    if (error instanceof ReltError && error.code === 'forbidden') return undefined
    throw error
  })
  const authorOf = ({ user, author }: Record<string, unknown>) =>
    isObject(user) ? user : isObject(author) ? author : {}
  if (isObject(user) && user.id !== undefined) return (comment) => authorOf(comment).id === user.id
  return (comment) => authorOf(comment).type === 'Bot'
}

async function findComment(
  call: Call,
  { comments }: CommentPlace,
  matches: (comment: Record<string, unknown>) => boolean,
): Promise<number | undefined> {
  for (let page = 1; page <= maxPages; page++) {
    const found = await call('GET', `${comments}?per_page=${pageSize}&page=${page}`)
    if (!Array.isArray(found)) return undefined
    const comment = found.filter(isObject).find(matches)
    if (comment && Number.isSafeInteger(comment.id)) return comment.id as number
    if (found.length < pageSize) return undefined
  }
  return undefined
}

const startsWith = ({ body }: Record<string, unknown>, marker: string): boolean =>
  typeof body === 'string' && (body === marker || body.startsWith(`${marker}\n`) || body.startsWith(`${marker}\r\n`))

async function exchange(
  connection: HttpConnection,
  { api, headers, permission }: CommentPlace,
  { method, path, sent }: { method: string; path: string; sent?: unknown },
): Promise<unknown> {
  const url = new URL(api + path)
  const content = sent === undefined ? undefined : Buffer.from(JSON.stringify(sent))
  const { status, body } = await connection
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
  if (status >= 200 && status < 300) return body.length > 0 ? parseJson(body, `The answer of ${url.host}`) : undefined
  if (status === 401) throw new ReltError('unauthenticated', `${url.host} does not accept the token.`)
  if (status === 403 || status === 404) {
    throw new ReltError('forbidden', `The token may not do this on ${url.host}: it needs ${permission}.`)
  }
  throw new ReltError('bad_answer', `${url.host} answered ${status}.`)
}
