import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { print } from '../../print.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'Accounts by name', [
    'relt admin users list',
    'relt admin users list --data /var/lib/relt',
  ]).action((_, command) => run(adminCliOf(context, command)))
}

export async function runList({ admin, io, json }: AdminCli): Promise<void> {
  const users = await (await admin()).listUsers()
  if (json) return printJson(io, { users })
  if (users.length === 0) return io.err('No accounts yet. Begin with: relt admin users add NAME\n')
  const { renderAccounts } = await import('./view.ts')
  print(io, renderAccounts(io, users))
}
