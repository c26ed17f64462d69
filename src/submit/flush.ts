import type { SpoolServer } from '../spool/entry-file.ts'
import { serverTag } from '../spool/entry-id.ts'
import { isFor, type SendContext, type SendResult, sendEntries } from '../spool/send.ts'
import type { SpoolEntry } from '../spool/spool.ts'
import { during, type SubmitContext } from './context.ts'

export interface FlushContext extends Pick<SubmitContext, 'onProgress'>, SendContext {}

interface SendOptions {
  /** Uploads to send, oldest first; called while no other process sends. Default: all queued ones. */
  entries?: () => Iterable<SpoolEntry>
  /** No upload starts after this time. */
  timeoutMs?: number
  /** Called before each upload; after true, none is started. */
  isEnded?: () => boolean
  /** Called with each result. */
  onResult?: (result: SendResult) => void
}

/**
 * Sends queued uploads for one server and user. Throws `busy` while another process sends, and errors of the spool; a failed
 * upload is an outcome and stays in the spool.
 */
export async function flush(
  context: FlushContext,
  server: SpoolServer,
  { timeoutMs = Number.POSITIVE_INFINITY }: { timeoutMs?: number } = {},
): Promise<SendResult[]> {
  const tag = serverTag(server.url)
  const entries = function* () {
    for (const entry of context.spool.entries({ isWanted: (each) => each === tag })) {
      if (isFor(server, entry)) yield entry
    }
  }
  if (entries().next().done) return []
  const sent: SendResult[] = []
  await sendWaiting(context, { entries, timeoutMs, onResult: (result) => void sent.push(result) })
  return sent
}

/** Sends each upload to its own server. Another user's upload is not sent: its outcome is `forbidden`. */
export async function sendWaiting(
  { onProgress, ...context }: FlushContext,
  { entries, timeoutMs = Number.POSITIVE_INFINITY, isEnded = () => false, onResult = () => {} }: SendOptions = {},
): Promise<void> {
  const { spool } = context
  const end = Date.now() + timeoutMs
  await spool.alone(async () => {
    const total = spool.usage().waiting
    const sending = sendEntries(context, entries?.() ?? spool.entries())
    for (let number = 1; Date.now() <= end && !isEnded(); number++) {
      const step = { name: 'send', number, total: Math.max(number, total) } as const
      const next = await during({ onProgress }, step, () => sending.next())
      if (next.done) break
      onResult(next.value)
    }
  })
}
