import { Argument, type Command } from 'commander'
import type { Context } from '../../../context.ts'
import { Role } from '../../../contract/account.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export function createCommand(context: Context, run = runSetRole): Command {
  const command = newCommand('set-role', 'Change the role of an account, at once', [
    'relt admin users set-role ada admin',
    'relt admin users set-role ada user',
  ])
    .argument('<name>', 'login name')
    .addArgument(new Argument('<role>', 'admins also change the catalog').choices(Role.options))
  return addStoreOption(command).action((name, role, options, command) =>
    run(cliOf(context, command), name, { ...options, role }),
  )
}

export async function runSetRole(
  { context, io, json }: Cli,
  login: string,
  options: StoreOptions & { role: Role },
): Promise<void> {
  const account = await (await context.admin(options.data)).setRole(login, options.role)
  if (json) return printJson(io, account)
  io.err(`${io.errColor.green('✓')} ${login} has the role ${account.role}\n`)
}
