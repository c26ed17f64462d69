import { Argument, type Command } from 'commander'
import type { Context } from '../../../../context.ts'
import type { Role } from '../../../../contract/account.ts'
import { roles } from '../../../../contract/choices.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runSetRole): Command {
  return newCommand('set-role', 'Change the role of a user', [
    'relt admin users set-role ada admin',
    'relt admin users set-role ada user',
  ])
    .argument('<name>', 'login name')
    .addArgument(new Argument('<role>', 'role; admins can also change the catalog').choices(roles))
    .action((name, role, _, command) => run(adminCliOf(context, command), name, role))
}

export async function runSetRole(cli: AdminCli, login: string, role: Role): Promise<void> {
  const account = await (await cli.admin()).setRole(login, role)
  await sayDone(cli, `Changed the role of ${login} to ${account.role}`, account)
}
