import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { newCommand } from '../../../program/command.ts'
import { keyColumns } from '../../keys/view.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List API keys of a user', ['relt admin keys list ada', 'relt admin keys list ada --json'])
    .argument('<user>', 'login name')
    .action((user, _, command) => run(adminCliOf(context, command), user))
}

export async function runList(cli: AdminCli, login: string): Promise<void> {
  const keys = await (await cli.admin()).listKeys(login)
  await show(cli, { body: { keys }, rows: keys, columns: keyColumns, empty: `${login} has no keys.` })
}
