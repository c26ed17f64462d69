import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { accountColumns } from './view.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List users', [
    'relt admin users list',
    'relt admin users list --data /var/lib/relt',
  ]).action((_, command) => run(adminCliOf(context, command)))
}

export async function runList(cli: AdminCli): Promise<void> {
  const users = await (await cli.admin()).listUsers()
  const empty = 'No users yet. Add one: relt admin users add NAME'
  await show(cli, { body: { users }, rows: users, columns: accountColumns, empty })
}
