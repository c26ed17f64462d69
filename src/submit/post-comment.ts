import type { CommentPlace } from '../ci/comment/place.ts'
import { insteadOf } from '../errors.ts'
import type { HttpConnection } from '../util/http-exchange.ts'
import { isObject } from '../util/json.ts'
import { type ApiCall, commentApi } from './comment-api.ts'

const pageSize = 100
/** A request with more comments gets a new one. */
const maxPages = 20

interface PostOptions {
  /** Opens a connection to an origin. */
  connect: (origin: string) => Promise<HttpConnection>
  /** First line of the comment to change, if there is one. */
  marker: string
  body: string
  /** Waits until a rate limit ends. */
  wait?: (ms: number) => Promise<void>
}

/**
 * Writes one comment, and changes it from then on. Only a comment of the same account is changed: anyone may write one
 * that looks like it. Throws `ReltError`, without anything of the token.
 */
export async function postComment(
  place: CommentPlace,
  { connect, marker, body, wait }: PostOptions,
): Promise<'created' | 'updated'> {
  const connection = await connect(new URL(place.api).origin)
  const call = commentApi(connection, place, { wait })
  try {
    const isOwn = await ownership(call)
    const ids = await findComments(call, place, (comment) => isOwn(comment) && startsWith(comment, marker))
    for (const id of ids.reverse()) {
      if (await tryTo(call(place.edit, `${place.comment}/${id}`, { body }))) return 'updated'
    }
    await call('POST', place.comments, { body })
    return 'created'
  } finally {
    await connection.close()
  }
}

/** False where it is forbidden: the comment is of another bot, or was deleted meanwhile. */
function tryTo(call: Promise<unknown>): Promise<boolean> {
  return call.then(() => true).catch(insteadOf('forbidden', false))
}

/** A pipeline's own token on GitHub may not ask who it is. It is a bot, and only apps are. */
async function ownership(call: ApiCall): Promise<(comment: Record<string, unknown>) => boolean> {
  const user = (await call('GET', '/user').catch(insteadOf('forbidden', undefined)))?.body
  const authorFor = ({ user, author }: Record<string, unknown>) =>
    isObject(user) ? user : isObject(author) ? author : {}
  if (isObject(user) && user.id !== undefined) return (comment) => authorFor(comment).id === user.id
  return (comment) => authorFor(comment).type === 'Bot'
}

/** Ids in the order of the list. A page may be short of comments that the token may not read, so links decide where there are any. */
async function findComments(
  call: ApiCall,
  { comments }: CommentPlace,
  matches: (comment: Record<string, unknown>) => boolean,
): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1; page <= maxPages; page++) {
    const { body, hasNext } = await call('GET', `${comments}?per_page=${pageSize}&page=${page}`)
    if (!Array.isArray(body)) break
    const found = body.filter(isObject).filter(matches)
    ids.push(...found.map(({ id }) => id as number).filter(Number.isSafeInteger))
    if (!(hasNext ?? body.length >= pageSize)) break
  }
  return ids
}

const startsWith = ({ body }: Record<string, unknown>, marker: string): boolean =>
  typeof body === 'string' && (body === marker || body.startsWith(`${marker}\n`) || body.startsWith(`${marker}\r\n`))
