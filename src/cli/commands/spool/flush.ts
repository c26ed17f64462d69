import type { SubmitContext } from '../../../submit/context.ts'
import { flush } from '../../../submit/flush.ts'
import { warn } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'

/** No upload starts after this time, and none may take longer. */
const patienceMs = 30_000

/** After an upload: sends queued uploads for the same server and user. A failure is a warning. */
export async function flushSpool(cli: Cli, { server, spool, onProgress }: SubmitContext) {
  if (!server || !spool) return
  const { context, io } = cli
  const connect = (url: string, team?: string) => context.toClient(url, { timeoutMs: patienceMs, team })
  try {
    const sent = await flush({ spool, connect, onProgress }, server, { timeoutMs: patienceMs })
    const done = sent.filter(({ outcome }) => 'uploaded' in outcome).length
    if (done > 0) io.err(`${io.errColor.green('✓')} Sent ${done} from the spool\n`)
    for (const { entry, outcome } of sent) {
      if ('error' in outcome) warn(io, `${entry.id} in the spool was not sent: ${outcome.error.message}`)
    }
  } catch (error) {
    warn(io, `The spool was not sent: ${(error as Error).message}`)
  }
}
