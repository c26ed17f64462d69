import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { addSecretFile, secretFileOf } from '../../../input/secret.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface SetPasswordOptions {
  secretFile?: string
  withPassword?: boolean
}

export function createCommand(context: Context, run = runSetPassword): Command {
  const command = newCommand('set-password', 'Set the browser password of a user and end their sessions', [
    'relt admin users set-password ada',
    'pass show relt/ada | relt admin users set-password ada --secret-file -',
  ]).argument('<name>', 'login name')
  return addSecretFile(command, 'password', '--with-password').action((name, options, command) =>
    run(adminCliOf(context, command), name, options),
  )
}

export async function runSetPassword(cli: AdminCli, login: string, options: SetPasswordOptions): Promise<void> {
  const file = secretFileOf(options, options.withPassword)
  const store = await cli.admin()
  // Report an unknown name before asking for a password.
  await store.getUser(login)
  const { readNewPassword } = await import('../read-password.ts')
  await store.setPassword(login, await readNewPassword(cli, file))
  await sayDone(cli, `Set the password of ${login}`, { success: true })
}
