import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { errorTable, ReltError } from '../../../errors.ts'
import { type Sent, sendEntries } from '../../../spool/send.ts'
import type { Spool, SpoolEntry } from '../../../spool/spool.ts'
import { show } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSpool, warn } from './open.ts'
import { pick } from './pick.ts'

export function createCommand(context: Context, run = runSend): Command {
  return newCommand('send', 'Send what waits, each to its own server, oldest first', [
    'relt spool send',
    'relt spool send spl_0m9x2k4fd1c0ffee2 --verbose',
  ])
    .argument('[id...]', 'ids (default: all)')
    .action((ids, _options, command) => run(cliOf(context, command), ids))
}

export async function runSend(cli: Cli, ids: string[]): Promise<void> {
  const spool = openSpool(cli)
  const sent = await spool.alone(async () => sendPicked(cli, spool, pick(spool.list(), ids)))
  const failed = sent.flatMap(({ entry, outcome }) =>
    'error' in outcome ? { id: entry.id, error: outcome.error } : [],
  )
  const done = sent.flatMap(({ entry, outcome }) =>
    'uploaded' in outcome ? { spool_id: entry.id, ...outcome.uploaded } : [],
  )
  for (const { id, error } of failed) warn(cli, `${id} was not sent: ${error.message}`)
  await show(cli, {
    body: {
      success: failed.length === 0,
      sent: done.map(({ success: _, ...run }) => run),
      failed: failed.map(({ id, error }) => ({
        spool_id: id,
        code: errorTable[error.code].wire,
        message: error.message,
      })),
      waiting: spool.list().length,
    },
    rows: done,
    columns: () => [
      { title: 'Id', value: (run) => run.spool_id },
      { title: 'Run', value: (run) => run.run_id },
      { title: 'Stored', value: (run) => (run.duplicate ? 'was there already' : run.ingested_at) },
    ],
    empty: failed.length === 0 ? 'Nothing waits.' : 'Nothing was sent.',
  })
  const [first] = failed
  if (first) throw summaryOf(first.error, failed.length)
}

async function sendPicked(cli: Cli, spool: Spool, entries: SpoolEntry[]): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const [url, group] of Map.groupBy(entries, ({ server }) => server.url)) {
    const { client, server } = await cli.context.clientOf(url)
    const isOurs = ({ server: { user } }: SpoolEntry) => user === null || user === server.user
    sent.push(...group.filter((entry) => !isOurs(entry)).map((entry) => ofAnother(entry, server.user)))
    const ours = group.filter(isOurs)
    const sending = sendEntries(spool, client, ours)
    for (let number = 1; ; number++) {
      const next = await withProgress(cli.io, `Sending ${number} of ${ours.length}`, () => sending.next())
      if (next.done) break
      sent.push(next.value)
    }
  }
  return sent
}

function ofAnother(entry: SpoolEntry, user: string | null): Sent {
  const { url, user: owner } = entry.server
  const message = `It is ${owner}'s, and ${user === null ? 'nobody is signed in' : `you are ${user}`}.`
  return { entry, outcome: { error: new ReltError('forbidden', message, { hint: `Sign in: relt auth login ${url}` }) } }
}

function summaryOf(first: ReltError, count: number): ReltError {
  const { code, message, hint, params, origin } = first
  return new ReltError(code, count === 1 ? message : `${count} uploads could not be sent. The first: ${message}`, {
    ...(hint && { hint }),
    ...(params && { params }),
    ...(origin && { origin }),
    cause: first,
  })
}
