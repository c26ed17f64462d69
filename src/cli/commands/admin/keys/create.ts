import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { addKeyOptions, type KeyOptions, wantedKey } from '../../keys/key-options.ts'
import { limitsText } from '../../keys/view.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface CreateUserKeyOptions extends KeyOptions {
  name: string
}

export function createCommand(context: Context, run = runCreate): Command {
  const command = newCommand('create', 'Create an API key and show it once', [
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin keys create ada --name ci --scope upload --expires 90d --json',
  ])
    .argument('<user>', 'login name')
    .requiredOption('--name <name>', 'name of the key')
  return addKeyOptions(command).action((user, options, command) => run(adminCliOf(context, command), user, options))
}

/** The password alone goes to standard output, so that a pipe gets nothing else. */
export async function runCreate(cli: AdminCli, login: string, options: CreateUserKeyOptions): Promise<void> {
  const { name: _, ...limits } = wantedKey(options.name, options, cli.context.now())
  const issued = await (await cli.admin()).createKey(login, options.name, limits)
  say(cli, `Created key ${issued.item.uuid} of ${login}${limitsText(issued.item)}`)
  await show(cli, {
    body: { success: true, ...issued },
    text: () => `${issued.password}\n`,
    note: 'Save it now. It is not shown again.',
  })
}
