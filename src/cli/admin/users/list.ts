import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { print } from '../../print.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export function createCommand(context: Context, run = runList): Command {
  const command = newCommand('list', 'Accounts by name', [
    'relt admin users list',
    'relt admin users list --data /var/lib/relt',
  ])
  return addStoreOption(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runList({ context, io, json }: Cli, options: StoreOptions): Promise<void> {
  const users = await (await context.admin(options.data)).listUsers()
  if (json) return printJson(io, { users })
  if (users.length === 0) return io.err('No accounts yet. Begin with: relt admin users add NAME\n')
  const { renderAccounts } = await import('./view.ts')
  print(io, renderAccounts(io, users))
}
