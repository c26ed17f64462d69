import { createReadStream } from 'node:fs'
import type { Context } from '../context.ts'
import { ReltError } from '../errors.ts'
import { outputOf, requireInteractive } from './choose.ts'
import type { Cli } from './command.ts'

const maxBytes = 10_000

/** The first line of a file, or of standard input for `-`: argv would be seen by others. Throws `usage`. */
export async function readSecret({ stdin }: Context, file: string, what: string): Promise<string> {
  if (file === '-') return firstLine(stdin, 'Standard input', what)
  try {
    return await firstLine(createReadStream(file), file, what)
  } catch (error) {
    if (error instanceof ReltError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new ReltError('usage', `${file} cannot be read: ${code}.`, { cause: error })
  }
}

/** Asks without showing what is typed. Throws `usage` where nobody can be asked. */
export async function askSecret({ io, context }: Cli, what: string): Promise<string> {
  requireInteractive(io, what)
  const { password } = await import('@inquirer/prompts')
  return password({ message: `The ${what}`, mask: true }, { input: context.stdin, output: outputOf(context) })
}

async function firstLine(stream: AsyncIterable<unknown>, where: string, what: string): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as string | Uint8Array)
    chunks.push(bytes)
    length += bytes.length
    if (bytes.includes(0x0a) || length > maxBytes) break
  }
  const line = /^[^\r\n]*/.exec(Buffer.concat(chunks).toString('utf8'))![0]
  if (line !== '') return line
  throw new ReltError('usage', `${where} holds no ${what}.`, { hint: 'Give it as one line.' })
}
