import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { count } from '../../../../util/words.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface DisableOptions {
  endMade?: boolean
}

export function createCommand(context: Context, run = runDisable): Command {
  return newCommand('disable', 'Disable a user: keys, password, sessions and feeds stop working', [
    'relt admin users disable ada',
    'relt admin users disable ada --end-made',
  ])
    .argument('<name>', 'login name')
    .option('--end-made', 'also remove all keys, feeds and webhooks of the user for good')
    .action((name, options, command) => run(adminCliOf(context, command), name, options))
}

export async function runDisable(cli: AdminCli, login: string, { endMade = false }: DisableOptions): Promise<void> {
  const { account, ended } = await (await cli.admin()).disableUser(login, { endMade })
  const removed = ended
    ? `: removed ${count(ended.keys, 'key')}, ${count(ended.feeds, 'feed')} and ${count(ended.webhooks, 'webhook')}`
    : ''
  say(cli, `Disabled ${login}${removed}`)
  await show(cli, {
    body: { ...account, ...(ended && { ended }) },
    note: [`Enable the account again: relt admin users enable ${login}`],
  })
}
