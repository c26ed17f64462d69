import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { openProgressBar } from '../../output/progress-bar.ts'
import { newCommand } from '../../program/command.ts'
import { type AdminCli, adminCliOf } from './command.ts'

export function createCommand(context: Context, run = runReindex): Command {
  return newCommand('reindex', 'Reindex runs stored by an older release', [
    'relt admin reindex',
    'relt admin reindex --data /srv/relt --json',
  ]).action((_options, command) => run(adminCliOf(context, command)))
}

/** A comparison and `relt serve` do the same on the way; this does it for the whole store, and can be stopped and run again. */
export async function runReindex(cli: AdminCli): Promise<void> {
  const admin = await cli.admin()
  const bar = openProgressBar(cli.io)
  const runs = await admin.reindex((done, total) => bar.show(done, total, 'runs')).finally(() => bar.close())
  await show(cli, {
    body: { success: true, runs },
    text: () => (runs === 0 ? 'All runs are up to date.\n' : `Reindexed ${runs} runs.\n`),
  })
}
