import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export interface SetPasswordOptions extends StoreOptions {
  withPassword?: boolean
}

export function createCommand(context: Context, run = runSetPassword): Command {
  const command = newCommand('set-password', 'Set the password of the browser sign-in; open sessions end', [
    'relt admin users set-password ada',
    'pass show relt/ada | relt admin users set-password ada --with-password',
  ])
    .argument('<name>', 'login name')
    .option('--with-password', 'read the password from standard input')
  return addStoreOption(command).action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runSetPassword(cli: Cli, login: string, options: SetPasswordOptions): Promise<void> {
  const { context, io, json } = cli
  const admin = await context.admin(options.data)
  // An unknown name is told before anybody types a password.
  await admin.getUser(login)
  const { readNewPassword } = await import('../read-password.ts')
  await admin.setPassword(login, await readNewPassword(cli, { fromInput: options.withPassword === true }))
  if (json) return printJson(io, { success: true })
  io.err(`${io.errColor.green('✓')} Password of ${login} is set\n`)
}
