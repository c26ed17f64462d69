import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { print } from '../../print.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runShow): Command {
  return newCommand('show', 'Show one account', ['relt admin users show ada', 'relt admin users show ada --json'])
    .argument('<name>', 'login name')
    .action((name, _, command) => run(adminCliOf(context, command), name))
}

export async function runShow({ admin, io, json }: AdminCli, login: string): Promise<void> {
  const account = await (await admin()).getUser(login)
  if (json) return printJson(io, account)
  const { renderAccount } = await import('./view.ts')
  print(io, renderAccount(account))
}
