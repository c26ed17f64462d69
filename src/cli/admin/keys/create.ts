import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import { show } from '../../output.ts'
import { say } from '../../say.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface CreateOptions {
  name: string
}

export function createCommand(context: Context, run = runCreate): Command {
  return newCommand('create', 'Create an application password, shown this once', [
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin keys create ada --name ci --json',
  ])
    .argument('<user>', 'login name')
    .requiredOption('--name <name>', 'what the key is for')
    .action((user, options, command) => run(adminCliOf(context, command), user, options))
}

/** The password alone goes to standard output, so that a pipe gets nothing else. */
export async function runCreate(cli: AdminCli, login: string, options: CreateOptions): Promise<void> {
  const issued = await (await cli.admin()).createKey(login, options.name)
  say(cli, `Created key ${issued.item.uuid} of ${login}`)
  await show(cli, {
    body: { success: true, ...issued },
    text: () => `${issued.password}\n`,
    note: 'Keep it now: it is not shown again.',
  })
}
