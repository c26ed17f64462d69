import { ReltError } from '../../errors.ts'
import type { Cli } from '../program/command.ts'
import { requireInteractive } from './choose.ts'
import { readFirstLine } from './first-line.ts'
import { readText } from './read-text.ts'

/** The first line of a file, or of standard input for `-`: argv would be seen by others. Throws `usage`. */
export async function readSecret({ context }: Cli, file: string, what: string): Promise<string> {
  if (file === '-') return readFirstLine(context.stdin, what)
  const [line] = (await readText(context, file)).split(/\r?\n/)
  if (line) return line
  throw new ReltError('usage', `${file} contains no ${what}.`, { hint: 'Put it on the first line.' })
}

/** Prompts without echo. Throws `usage` without a terminal. */
export async function askSecret(cli: Cli, what: string): Promise<string> {
  requireInteractive(cli.io, what)
  const { password } = await import('@inquirer/prompts')
  return password({ message: `The ${what}`, mask: true }, cli.io.questions)
}
