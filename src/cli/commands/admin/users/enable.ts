import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runEnable): Command {
  return newCommand('enable', 'Enable a user that was disabled', ['relt admin users enable ada'])
    .argument('<name>', 'login name')
    .action((name, _, command) => run(adminCliOf(context, command), name))
}

export async function runEnable(cli: AdminCli, login: string): Promise<void> {
  const account = await (await cli.admin()).enableUser(login)
  await sayDone(cli, `Enabled ${login}: their keys, password and feeds work again`, account)
}
