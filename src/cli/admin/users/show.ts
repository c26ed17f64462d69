import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { print } from '../../print.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export function createCommand(context: Context, run = runShow): Command {
  const command = newCommand('show', 'Show one account', [
    'relt admin users show ada',
    'relt admin users show ada --json',
  ]).argument('<name>', 'login name')
  return addStoreOption(command).action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runShow({ context, io, json }: Cli, login: string, options: StoreOptions): Promise<void> {
  const account = await (await context.admin(options.data)).getUser(login)
  if (json) return printJson(io, account)
  const { renderAccount } = await import('./view.ts')
  print(io, renderAccount(account))
}
