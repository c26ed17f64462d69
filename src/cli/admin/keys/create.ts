import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { print } from '../../print.ts'
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
export async function runCreate({ admin, io, json }: AdminCli, login: string, options: CreateOptions): Promise<void> {
  const issued = await (await admin()).createKey(login, options.name)
  if (json) return printJson(io, { success: true, ...issued })
  io.err(`${io.errColor.green('✓')} Created key ${issued.item.uuid} of ${login}\n`)
  print(io, `${issued.password}\n`)
  io.err(io.errColor.dim('Keep it now: it is not shown again.\n'))
}
