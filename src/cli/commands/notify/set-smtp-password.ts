import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { askSecret, readSecret } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface SetSmtpPasswordOptions {
  secretFile?: string
}

export function createCommand(context: Context, run = runSetSmtpPassword): Command {
  return newCommand('set-smtp-password', 'Store the password of the mail server in the keychain', [
    'RELT_SMTP_URL=smtp://user@mail.example.com relt notify set-smtp-password',
    'pass show smtp | relt notify set-smtp-password --secret-file -',
  ])
    .option('--secret-file <file>', 'read the password from the first line of a file; - for standard input')
    .addHelpText(
      'after',
      '\nIt belongs to the user and server of RELT_SMTP_URL. RELT_SMTP_PASSWORD_FILE takes precedence.',
    )
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runSetSmtpPassword(cli: Cli, { secretFile }: SetSmtpPasswordOptions): Promise<void> {
  const what = 'password of the mail server'
  const password = secretFile === undefined ? await askSecret(cli, what) : await readSecret(cli, secretFile, what)
  const { keepSmtpPassword } = await import('../../../config/smtp-password.ts')
  const owner = await keepSmtpPassword(cli.context.env, password)
  await sayDone(cli, `Stored the password of ${owner}`, { success: true, password_of: owner })
}
