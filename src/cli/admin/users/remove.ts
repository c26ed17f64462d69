import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export interface RemoveOptions extends StoreOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runRemove): Command {
  const command = newCommand('remove', 'Remove an account and everything that is theirs', [
    'relt admin users remove ada',
    'relt admin users remove ada --yes',
  ])
    .argument('<name>', 'login name')
    .option('-y, --yes', 'do not ask')
  return addStoreOption(command).action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runRemove({ context, io, json }: Cli, login: string, options: RemoveOptions): Promise<void> {
  const admin = await context.admin(options.data)
  await admin.getUser(login)
  if (!options.yes) {
    const { confirmOrRefuse } = await import('../../prompt.ts')
    await confirmOrRefuse(io, `Remove ${login} with all their keys, reports and configurations for good?`)
  }
  await admin.removeUser(login)
  if (json) return printJson(io, { success: true })
  io.err(`${io.errColor.green('✓')} Removed ${login}\n`)
}
