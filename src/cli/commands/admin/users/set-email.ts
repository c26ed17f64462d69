import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runSetEmail): Command {
  return newCommand('set-email', 'Change the email address of a user', [
    'relt admin users set-email ada ada@shop.example',
    'relt admin users set-email ada ""',
  ])
    .argument('<name>', 'login name; `local` is the user of this machine')
    .argument('<address>', 'address for notifications; empty: none')
    .action((name, address, _, command) => run(adminCliOf(context, command), name, address))
}

export async function runSetEmail(cli: AdminCli, login: string, address: string): Promise<void> {
  const account = await (await cli.admin()).setEmail(login, address === '' ? null : address)
  await sayDone(
    cli,
    `${login} ${account.email === null ? 'has no email address now' : `has ${account.email} now`}`,
    account,
  )
}
