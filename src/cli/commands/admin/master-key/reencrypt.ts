import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { ReltError } from '../../../../errors.ts'
import { openProgressBar } from '../../../output/progress-bar.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runReencrypt): Command {
  const command = newCommand('reencrypt', 'Seal everything again with a new data key', [
    'relt admin master-key reencrypt',
    'relt admin master-key reencrypt --json',
  ]).action((_options, command) => run(adminCliOf(context, command)))
  return command.addHelpText(
    'after',
    `
Servers and uploads go on meanwhile. When it is stopped, the next call completes it. The replaced data key is removed
at the end. After a rotation, restart servers that have the previous master key before you run this.`,
  )
}

export async function runReencrypt(cli: AdminCli): Promise<void> {
  const store = await (await cli.admin()).store()
  const bar = openProgressBar(cli.io)
  const result = await store.reencrypt((done, total) => bar.show(done, total, 'pieces')).finally(() => bar.close())
  const { new_key: isNew, pieces, damaged } = result
  const what = isNew ? 'Sealed' : 'Completed an earlier re-encryption: sealed'
  await sayDone(cli, `${what} ${pieces} pieces again`, { success: damaged.length === 0, ...result })
  if (damaged.length === 0) return
  throw new ReltError('unhealthy', `${damaged.length} pieces do not open and were left as they are.`, {
    hint: 'Run `relt admin verify` to list them. Their key stays in the store.',
  })
}
