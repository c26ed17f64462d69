import type { Client } from '../client/client.ts'
import type { ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import { type ErrorCode, errorTable, ReltError } from '../errors.ts'
import type { Spool, SpoolEntry } from './spool.ts'

export interface SendResult {
  entry: SpoolEntry
  /** The server's answer, or its error. */
  outcome: { uploaded: ReceivedUploadResult } | { error: ReltError }
}

const unavailable: ErrorCode[] = ['unreachable', 'busy', 'rate_limited']
const storeFailures: ErrorCode[] = ['store_full', 'store_read_only', 'store_unusable', 'key_unavailable']

/** The server cannot take an upload now, which says nothing about the upload: no answer, 429 or any 5xx. */
export function isUnavailable(error: unknown): error is ReltError {
  if (!(error instanceof ReltError)) return false
  const isOfServer = error.origin !== undefined && [...storeFailures, 'internal'].includes(error.code)
  return isOfServer || unavailable.includes(error.code)
}

const stopping: ErrorCode[] = [...unavailable, ...storeFailures, 'unauthenticated', 'forbidden']

/** Concerns the server or the caller and not the upload: the next one would meet it again. */
export const isStopping = ({ code }: ReltError): boolean => stopping.includes(code)

/**
 * Sends the uploads of one server in order and yields each with its outcome. A refused upload stays with its error, and the
 * next one follows. Stops if the server is unreachable or refuses the credentials.
 */
export async function* sendEntries(
  spool: Spool,
  client: Client,
  entries: SpoolEntry[],
): AsyncGenerator<SendResult, void> {
  for (const entry of entries) {
    const outcome = await send(spool, client, entry)
    if (!outcome) continue
    yield { entry, outcome }
    if ('error' in outcome && isStopping(outcome.error)) return
  }
}

async function send(spool: Spool, client: Client, entry: SpoolEntry): Promise<SendResult['outcome'] | undefined> {
  try {
    const content = spool.read(entry.id)
    if (!content) return undefined
    const { idempotencyKey } = entry
    const uploaded = await client.call('uploadReport', { ...content, idempotencyKey })
    spool.remove(entry.id)
    return { uploaded }
  } catch (cause) {
    const error = cause instanceof ReltError ? cause : new ReltError('internal', (cause as Error).message, { cause })
    const refused = errorTable[error.code].status < 500 && !isStopping(error)
    spool.failed(entry, { error: error.message, refused })
    return { error }
  }
}
