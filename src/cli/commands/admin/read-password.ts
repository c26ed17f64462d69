import { password } from '@inquirer/prompts'
import { ReltError } from '../../../errors.ts'
import { readFirstLine } from '../../input/first-line.ts'
import type { Cli } from '../../program/command.ts'

/** Asks on a terminal, or takes the first line of standard input: a password in argv would be seen by others. */
export async function readNewPassword({ context, io }: Cli, { fromInput }: { fromInput: boolean }): Promise<string> {
  if (fromInput) return readFirstLine(context.stdin, 'password')
  if (!io.isInteractive) {
    throw new ReltError('usage', 'Cannot ask for the password without a terminal.', {
      hint: 'Pipe the password in and add --with-password.',
    })
  }
  const typed = await password({ message: 'New password', mask: true }, io.questions)
  const again = await password({ message: 'Repeat the password', mask: true }, io.questions)
  if (typed !== again) throw new ReltError('usage', 'The passwords do not match.', { hint: 'Try again.' })
  return typed
}
