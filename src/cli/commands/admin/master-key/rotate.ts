import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { placeNames } from './status.ts'

export function createCommand(context: Context, run = runRotate): Command {
  const command = newCommand('rotate', 'Replace the master key', [
    'relt admin master-key rotate',
    'RELT_MASTER_KEY=$NEW RELT_MASTER_KEY_PREVIOUS=$OLD relt admin master-key rotate',
  ]).action((_options, command) => run(adminCliOf(context, command)))
  return command.addHelpText(
    'after',
    `
The new key wraps the data keys; reports stay as they are, so this takes no time. Where RELT_MASTER_KEY or
RELT_MASTER_KEY_COMMAND gives the key, it gives the new one, and RELT_MASTER_KEY_PREVIOUS the present one.
Else a new key is made in the keychain, or in master.key, and the present one is removed from there.
Backups made before open with the present key only: make a recovery kit first if you still need them.`,
  )
}

export async function runRotate(cli: AdminCli): Promise<void> {
  const { previous, current } = await (await (await cli.admin()).store()).rotateMasterKey()
  say(cli, `Rotated the master key: ${current.id}, ${placeNames[current.place]}`)
  await show(cli, {
    body: { success: true, previous, current },
    text: () => '',
    note: `Earlier backups open with the key ${previous.id} only. Make a new backup.`,
  })
}
