import { password } from '@inquirer/prompts'
import { ReltError } from '../../../errors.ts'
import { readSecret } from '../../input/secret.ts'
import type { Cli } from '../../program/command.ts'

/** Prompts on a terminal, or reads the file: other users could see a password in argv. */
export async function readNewPassword(cli: Cli, file: string | undefined) {
  const { io } = cli
  if (file !== undefined) return readSecret(cli, file, 'password')
  if (!io.isInteractive) {
    throw new ReltError('usage', 'Cannot ask for the password without a terminal.', {
      hint: 'Pipe the password in and add --secret-file -.',
    })
  }
  const typed = await password({ message: 'New password', mask: true }, io.questions)
  const again = await password({ message: 'Repeat the password', mask: true }, io.questions)
  if (typed !== again) throw new ReltError('usage', 'The passwords do not match.', { hint: 'Try again.' })
  return typed
}
