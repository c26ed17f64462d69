import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { print } from '../../print.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export interface CreateOptions extends StoreOptions {
  name: string
}

export function createCommand(context: Context, run = runCreate): Command {
  const command = newCommand('create', 'Create an application password, shown this once', [
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin keys create ada --name ci --json',
  ])
    .argument('<user>', 'login name')
    .requiredOption('--name <name>', 'what the key is for')
  return addStoreOption(command).action((user, options, command) => run(cliOf(context, command), user, options))
}

/** The password alone goes to standard output, so that a pipe gets nothing else. */
export async function runCreate({ context, io, json }: Cli, login: string, options: CreateOptions): Promise<void> {
  const issued = await (await context.admin(options.data)).createKey(login, options.name)
  if (json) return printJson(io, { success: true, ...issued })
  io.err(`${io.errColor.green('✓')} Created key ${issued.item.uuid} of ${login}\n`)
  print(io, `${issued.password}\n`)
  io.err(io.errColor.dim('Keep it now: it is not shown again.\n'))
}
