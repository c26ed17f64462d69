import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export function createCommand(context: Context, run = runRevoke): Command {
  const command = newCommand('revoke', 'Revoke an application password, at once', [
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e',
  ]).argument('<uuid>', 'id of the key, as listed')
  return addStoreOption(command).action((uuid, options, command) => run(cliOf(context, command), uuid, options))
}

export async function runRevoke({ context, io, json }: Cli, uuid: string, options: StoreOptions): Promise<void> {
  await (await context.admin(options.data)).revokeKey(uuid)
  if (json) return printJson(io, { success: true })
  io.err(`${io.errColor.green('✓')} Revoked ${uuid}\n`)
}
