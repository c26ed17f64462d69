import { password } from '@inquirer/prompts'
import { ReltError } from '../../../errors.ts'
import { readFirstLine } from '../../input/first-line.ts'
import type { Cli } from '../../program/command.ts'

/** Asks on a terminal, or takes the first line of standard input: a password in argv would be seen by others. */
export async function readNewPassword({ context, io }: Cli, { fromInput }: { fromInput: boolean }): Promise<string> {
  if (fromInput) return readFirstLine(context.stdin, 'password')
  if (!io.isInteractive) {
    throw new ReltError('usage', 'Nobody can be asked for the password here.', {
      hint: 'Pipe it in and add --with-password.',
    })
  }
  const typed = await password({ message: 'New password', mask: true }, io.questions)
  const again = await password({ message: 'The same again', mask: true }, io.questions)
  if (typed !== again) throw new ReltError('usage', 'The two passwords differ.', { hint: 'Try again.' })
  return typed
}
