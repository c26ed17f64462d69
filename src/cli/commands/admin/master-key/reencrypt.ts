import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { ReltError } from '../../../../errors.ts'
import { openProgressBar } from '../../../output/progress-bar.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runReencrypt): Command {
  const command = newCommand('reencrypt', 'Re-encrypt all data with a new data key', [
    'relt admin master-key reencrypt',
    'relt admin master-key reencrypt --json',
  ]).action((_options, command) => run(adminCliOf(context, command)))
  return command.addHelpText(
    'after',
    `
Running servers are not interrupted. If you stop the command, run it again to complete it. The old data key is deleted
at the end. After a rotation, first restart servers that still use the previous master key.`,
  )
}

export async function runReencrypt(cli: AdminCli): Promise<void> {
  const store = await (await cli.admin()).store()
  const bar = openProgressBar(cli.io)
  const result = await store.reencrypt((done, total) => bar.show(done, total, 'pieces')).finally(() => bar.close())
  const { new_key: isNew, pieces, damaged } = result
  const what = isNew ? 'Re-encrypted' : 'Completed an earlier re-encryption of'
  await sayDone(cli, `${what} ${pieces} pieces`, { success: damaged.length === 0, ...result })
  if (damaged.length === 0) return
  throw new ReltError('unhealthy', `${damaged.length} pieces could not be decrypted and were left unchanged.`, {
    hint: 'Run `relt admin verify` to list them. Their data key was not deleted.',
  })
}
