import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { errorTable, ReltError } from '../../../errors.ts'
import { sendWaiting } from '../../../submit/flush.ts'
import { show } from '../../output/output.ts'
import { warn } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSpool } from './open.ts'
import { pick } from './pick.ts'

export function createCommand(context: Context, run = runSend): Command {
  return newCommand('send', 'Send waiting uploads to their servers', [
    'relt spool send',
    'relt spool send spl_0m9x2k4fd1c0ffee2 --verbose',
  ])
    .argument('[id...]', 'ids (default: all)')
    .action((ids, _options, command) => run(cliOf(context, command), ids))
}

export async function runSend(cli: Cli, ids: string[]): Promise<void> {
  const { context, io } = cli
  const spool = openSpool(cli)
  const connect = (url: string, team?: string) => context.clientOf(url, { team })
  const { onProgress } = showSteps(io)
  const sent = await sendWaiting({ spool, connect, onProgress }, { choose: (waiting) => pick(waiting, ids) })
  const failed = sent.flatMap(({ entry, outcome }) =>
    'error' in outcome ? { id: entry.id, error: outcome.error } : [],
  )
  const done = sent.flatMap(({ entry, outcome }) =>
    'uploaded' in outcome ? { spool_id: entry.id, ...outcome.uploaded } : [],
  )
  for (const { id, error } of failed) warn(io, `${id} was not sent: ${error.message}`)
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
      { title: 'Stored', value: (run) => (run.duplicate ? 'already stored' : run.ingested_at) },
    ],
    empty: failed.length === 0 ? 'No uploads are waiting.' : 'No upload was sent.',
  })
  const [first] = failed
  if (first) throw summaryOf(first.error, failed.length)
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
