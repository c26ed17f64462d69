import type { Client } from '../client/client.ts'
import { ReltError } from '../errors.ts'
import type { SpoolServer } from '../spool/entry-file.ts'
import { type SendResult, sendEntries } from '../spool/send.ts'
import type { Spool, SpoolEntry } from '../spool/spool.ts'
import { during, type SubmitContext } from './context.ts'

export interface FlushContext extends Pick<SubmitContext, 'onProgress'> {
  spool: Spool
  /** A client of the server at this address, which acts for this team, and as whom it calls. */
  connect: (url: string, team: string | undefined) => Promise<{ client: Client; server: SpoolServer }>
}

interface SendOptions {
  /** Selects waiting uploads, oldest first. */
  choose: (waiting: SpoolEntry[]) => SpoolEntry[]
  /** No upload is begun later. */
  timeoutMs?: number
}

/**
 * Sends what waits for one server and user, except uploads that it has refused. Throws `busy` while another process
 * sends, and what the spool throws; a failed upload is an outcome and stays in the spool.
 */
export async function flush(
  context: FlushContext,
  server: SpoolServer,
  { timeoutMs = Number.POSITIVE_INFINITY }: { timeoutMs?: number } = {},
): Promise<SendResult[]> {
  const choose = (waiting: SpoolEntry[]) => waiting.filter((entry) => isFor(server, entry) && !entry.attempts.refused)
  if (choose(context.spool.list()).length === 0) return []
  return sendWaiting(context, { choose, timeoutMs })
}

/** Sends each upload to its own server, oldest first. Another user's upload is not sent: its outcome is `forbidden`. */
export async function sendWaiting(
  { spool, connect, onProgress }: FlushContext,
  { choose, timeoutMs = Number.POSITIVE_INFINITY }: SendOptions,
): Promise<SendResult[]> {
  const end = Date.now() + timeoutMs
  return spool.alone(async () => {
    const sent: SendResult[] = []
    for (const entries of Map.groupBy(choose(spool.list()), placeOf).values()) {
      const { url, team } = entries[0]!.server
      const { client, server } = await connect(url, team)
      const [ours, others] = [true, false].map((wanted) => entries.filter((entry) => isFor(server, entry) === wanted))
      sent.push(...others!.map((entry) => ofAnotherUser(entry, server)))
      const sending = sendEntries(spool, client, ours!)
      for (let number = 1; Date.now() <= end; number++) {
        const step = { name: 'send', number, total: ours!.length } as const
        const next = await during({ onProgress }, step, () => sending.next())
        if (next.done) break
        sent.push(next.value)
      }
    }
    return sent
  })
}

const placeOf = ({ server: { url, team } }: SpoolEntry): string => JSON.stringify([url, team])

/** An upload that was spooled without a user is anybody's. */
function isFor({ url, user }: SpoolServer, { server }: SpoolEntry): boolean {
  return server.url === url && (server.user === null || server.user === user)
}

function ofAnotherUser(entry: SpoolEntry, { url, user }: SpoolServer): SendResult {
  const message = `It belongs to ${entry.server.user}, but ${user === null ? 'nobody is signed in' : `you are ${user}`}.`
  return { entry, outcome: { error: new ReltError('forbidden', message, { hint: `Sign in: relt auth login ${url}` }) } }
}
