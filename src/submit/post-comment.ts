import type { CommentPlace } from '../ci/comment/place.ts'
import { insteadOf } from '../errors.ts'
import type { HttpConnection } from '../util/http-exchange.ts'
import { isObject } from '../util/json.ts'
import { type ApiCall, commentApi } from './comment-api.ts'

const pageSize = 100
/** If a request has more comments, a new one is added. */
const maxPages = 20

interface PostOptions {
  /** Opens a connection to an origin. */
  connect: (origin: string) => Promise<HttpConnection>
  /** First line of the comment to update, if it exists. */
  marker: string
  body: string
  /** Waits until a rate limit ends. */
  wait?: (ms: number) => Promise<void>
}

/**
 * Creates a comment, or updates the existing one. Updates only comments of the same account, because anyone may write a
 * similar one. Throws `ReltError`, which never contains the token.
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

/** False if forbidden: the comment belongs to another bot, or was deleted in the meantime. */
function tryTo(call: Promise<unknown>): Promise<boolean> {
  return call.then(() => true).catch(insteadOf('forbidden', false))
}

/** A pipeline's own token on GitHub cannot query its account, so the comment's author type decides: only apps are bots. */
async function ownership(call: ApiCall): Promise<(comment: Record<string, unknown>) => boolean> {
  const user = (await call('GET', '/user').catch(insteadOf('forbidden', undefined)))?.body
  const authorFor = ({ user, author }: Record<string, unknown>) =>
    isObject(user) ? user : isObject(author) ? author : {}
  if (isObject(user) && user.id !== undefined) return (comment) => authorFor(comment).id === user.id
  return (comment) => authorFor(comment).type === 'Bot'
}

/** Ids in the order of the list. Pages may omit comments that the token may not read, so links decide if there are any. */
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
