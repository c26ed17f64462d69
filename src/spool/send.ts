import type { Client } from '../client/client.ts'
import type { ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import { type ErrorCode, errorTable, ReltError } from '../errors.ts'
import type { SpoolServer } from './entry-file.ts'
import type { Spool, SpoolEntry } from './spool.ts'

export interface SendResult {
  entry: SpoolEntry
  /** The server's answer, or why it was not sent. */
  outcome: { uploaded: ReceivedUploadResult } | { error: ReltError }
  /** The error concerns the server or the caller: no other upload to the server is tried in this turn. */
  isStopping: boolean
}

/** A client of a server, and its user. */
interface SpoolConnection {
  client: Client
  server: SpoolServer
}

export interface SendContext {
  spool: Spool
  /** Opens a client of the server with this URL, acting for this team. */
  connect: (url: string, team: string | undefined) => Promise<SpoolConnection>
  /** Cancels the current upload, which stays in the spool. Its idempotency key prevents a duplicate. */
  signal?: AbortSignal | undefined
}

const unavailable: ErrorCode[] = ['unreachable', 'busy', 'rate_limited']
const storeFailures: ErrorCode[] = ['store_full', 'store_read_only', 'store_unusable', 'key_unavailable']

/** Whether the server is unavailable, whatever the upload: no answer, 429 or any 5xx. */
export function isUnavailable(error: unknown): error is ReltError {
  if (!(error instanceof ReltError)) return false
  const isOfServer = error.origin !== undefined && [...storeFailures, 'internal'].includes(error.code)
  return isOfServer || unavailable.includes(error.code)
}

/**
 * Whether the next upload to the server would fail in the same way. A lost key, an unreadable file, and maybe an internal
 * error of the server concern a single upload.
 */
function isStopping(error: ReltError) {
  const isOfServer = error.origin !== undefined && storeFailures.includes(error.code)
  return isOfServer || [...unavailable, 'unauthenticated', 'forbidden'].includes(error.code)
}

/** Errors unrelated to the report: the request was cancelled, or never sent. */
const withoutVerdict: ErrorCode[] = ['cancelled', 'usage']

/** Whether the server would reject the same upload each time. */
export const isRefusal = (error: ReltError) =>
  errorTable[error.code].status < 500 && !isStopping(error) && !withoutVerdict.includes(error.code)

/**
 * Sends uploads in order, each to its own server, and yields each with its outcome. Sets rejected uploads aside and
 * continues. After an error of a server, skips its other uploads; after a permanent error of a team, skips the team's.
 */
export async function* sendEntries(
  context: SendContext,
  entries: Iterable<SpoolEntry>,
): AsyncGenerator<SendResult, void> {
  const stopped = new Set<string>()
  const connections = new Map<string, SpoolConnection>()
  for (const entry of entries) {
    if (context.signal?.aborted) return
    const place = placeFor(entry.server)
    if (stopped.has(place) || stopped.has(entry.server.url)) continue
    const sent = await sendEntry(context, entry, connections)
    if (!sent) continue
    const error = 'error' in sent.outcome ? sent.outcome.error : undefined
    if (error && sent.isStopping) stopped.add(error.code === 'forbidden' ? place : entry.server.url)
    yield { entry, ...sent }
  }
}

async function sendEntry(
  { spool, connect, signal }: SendContext,
  entry: SpoolEntry,
  connections: Map<string, SpoolConnection>,
) {
  const { url, team } = entry.server
  const place = placeFor(entry.server)
  let connection = connections.get(place)
  try {
    connection ??= await connect(url, team)
  } catch (cause) {
    return { outcome: { error: asReltError(cause) }, isStopping: true }
  }
  connections.set(place, connection)
  if (!isFor(connection.server, entry)) return { outcome: ofAnotherUser(entry, connection.server), isStopping: false }
  try {
    const content = spool.read(entry.id)
    if (!content) return undefined
    const { idempotencyKey } = entry
    const uploaded = await unlessAborted(connection.client.call('uploadReport', { ...content, idempotencyKey }), signal)
    spool.remove(entry.id)
    return { outcome: { uploaded }, isStopping: false }
  } catch (cause) {
    const error = asReltError(cause)
    const isEnded = signal?.aborted === true
    if (!isEnded) spool.failed(entry, { error: error.message, refused: isRefusal(error) })
    return { outcome: { error }, isStopping: isEnded || isStopping(error) }
  }
}

const placeFor = ({ url, team }: SpoolServer) => JSON.stringify([url, team])

/** An upload queued without a user may be sent by anyone. */
export function isFor({ url, user }: SpoolServer, { server }: SpoolEntry) {
  return server.url === url && (server.user === null || server.user === user)
}

function ofAnotherUser(entry: SpoolEntry, { url, user }: SpoolServer) {
  const message = `It belongs to ${entry.server.user}, but ${user === null ? 'nobody is signed in' : `you are ${user}`}.`
  return { error: new ReltError('forbidden', message, { hint: `Sign in: relt auth login ${url}` }) }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined) {
  if (!signal) return work
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(new ReltError('cancelled', 'The sending was ended.'))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const asReltError = (cause: unknown) =>
  cause instanceof ReltError ? cause : new ReltError('internal', (cause as Error).message, { cause })
