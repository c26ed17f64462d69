import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { renderAccount } from './view.ts'

export function createCommand(context: Context, run = runShow): Command {
  return newCommand('show', 'Show a user', ['relt admin users show ada', 'relt admin users show ada --json'])
    .argument('<name>', 'login name')
    .action((name, _, command) => run(adminCliOf(context, command), name))
}

export async function runShow(cli: AdminCli, login: string): Promise<void> {
  const account = await (await cli.admin()).getUser(login)
  await show(cli, { body: account, text: (io) => renderAccount(io, account) })
}
