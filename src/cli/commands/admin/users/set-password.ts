import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { addSecretFile, secretFileOf } from '../../../input/secret.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { sayMade, things } from '../../keys/made.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { toShown } from '../made.ts'

export interface SetPasswordOptions {
  secretFile?: string
  withPassword?: boolean
  endMade?: boolean
}

export function createCommand(context: Context, run = runSetPassword): Command {
  const command = newCommand('set-password', 'Set the browser password of a user and end their sessions', [
    'relt admin users set-password ada',
    'pass show relt/ada | relt admin users set-password ada --secret-file -',
    'relt admin users set-password ada --end-made',
  ])
    .argument('<name>', 'login name')
    .option('--end-made', 'also end the keys, feeds, webhooks and team members that came of the old password')
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
  const password = await readNewPassword(cli, file)
  const { endMade = false } = options
  const made = sayMade(cli.io, toShown(await store.findMadeByPassword(login)), 'the old password')
  const ended = await store.setPassword(login, password, { endMade })
  const what = ended ? `, and ended ${things(made)}` : ''
  say(cli, `Set the password of ${login}${what}`)
  const hint = made > 0 && !ended && 'They still work. To end them, add --end-made.'
  await show(cli, { body: { success: true, ...(ended && { ended }) }, ...(hint && { note: hint }) })
}
