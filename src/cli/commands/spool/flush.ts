import type { NamedServer } from '../../../context.ts'
import { type Sent, sendEntries } from '../../../spool/send.ts'
import type { Spool } from '../../../spool/spool.ts'
import { withProgress } from '../../output/progress.ts'
import type { Cli } from '../../program/command.ts'
import { openSpool, warn } from './open.ts'

/** No upload is begun later, and none may take longer. */
const patienceMs = 30_000

/**
 * After an upload: sends what has waited for the same server and user, but for what it has refused already. What fails is a
 * warning, and stays.
 */
export async function flushSpool(cli: Cli, server: NamedServer): Promise<void> {
  try {
    const spool = openSpool(cli)
    if (waitingFor(spool, server).length === 0) return
    const sent = await withProgress(cli.io, 'Sending what the spool keeps', () =>
      spool.alone(() => sendSome(cli, spool, server)),
    )
    const done = sent.filter(({ outcome }) => 'uploaded' in outcome).length
    if (done > 0) cli.io.err(`${cli.io.errColor.green('✓')} Sent ${done} of the spool\n`)
    for (const { entry, outcome } of sent) {
      if ('error' in outcome) warn(cli, `${entry.id} of the spool was not sent: ${outcome.error.message}`)
    }
  } catch (error) {
    warn(cli, `The spool was not sent: ${(error as Error).message}`)
  }
}

async function sendSome(cli: Cli, spool: Spool, server: NamedServer): Promise<Sent[]> {
  const { client } = await cli.context.clientOf(server.url, { timeoutMs: patienceMs })
  const end = Date.now() + patienceMs
  const sent: Sent[] = []
  for await (const each of sendEntries(spool, client, waitingFor(spool, server))) {
    sent.push(each)
    if (Date.now() > end) break
  }
  return sent
}

function waitingFor(spool: Spool, { url, user }: NamedServer) {
  const isOurs = (owner: string | null) => owner === null || owner === user
  return spool.list().filter(({ server, attempts }) => server.url === url && isOurs(server.user) && !attempts.refused)
}
