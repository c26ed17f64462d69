import { password } from '@inquirer/prompts'
import { ReltError } from '../../errors.ts'
import type { Cli } from '../command.ts'

const maxBytes = 10_000

/** Asks on a terminal, or takes the first line of standard input: a password in argv would be seen by others. */
export async function readNewPassword({ context, io }: Cli, { fromInput }: { fromInput: boolean }): Promise<string> {
  if (fromInput) return firstLine(context.stdin)
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

async function firstLine(stdin: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (bytes.includes(0x0a) || length > maxBytes) break
  }
  const line = /^[^\r\n]*/.exec(Buffer.concat(chunks).toString('utf8'))![0]
  if (line !== '') return line
  throw new ReltError('usage', 'Standard input holds no password.', { hint: 'Pipe it in as one line.' })
}
