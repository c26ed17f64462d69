import { ReltError } from '../../errors.ts'
import type { Cli } from '../program/command.ts'
import { readText } from './read-text.ts'

/** The option for the file of a secret. */
export const secretFile = (what: string) => ({
  '--secret-file <file>': `read the ${what} from the first line of a file; - for standard input`,
})

/** Reads the first line of a file, or of standard input for `-`: other users could see argv. Throws `usage`. */
export async function readSecret({ context }: Cli, file: string, what: string) {
  if (file === '-') return readFirstLine(context.stdin, what)
  const [line] = (await readText(context, file)).split(/\r?\n/)
  if (line) return line
  throw new ReltError('usage', `${file} contains no ${what}.`, { hint: 'Put it on the first line.' })
}

const maxBytes = 10_000

async function readFirstLine(stdin: NodeJS.ReadableStream, what: string) {
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
  throw new ReltError('usage', `Standard input contains no ${what}.`, { hint: 'Pipe it in as one line.' })
}

/** Like `readSecret`; without a file, prompts without echo. Throws `usage` without a terminal, naming the file option. */
export async function readOrAskSecret(cli: Cli, file: string | undefined, what: string) {
  if (file !== undefined) return readSecret(cli, file, what)
  if (!cli.io.isInteractive) {
    throw new ReltError('usage', `There is no terminal to ask for the ${what}.`, {
      hint: 'Pass it in a file or a pipe: --secret-file FILE, or --secret-file -',
    })
  }
  const { password } = await import('@inquirer/prompts')
  return password({ message: `The ${what}`, mask: true }, cli.io.questions)
}
