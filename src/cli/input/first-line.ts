import { ReltError } from '../../errors.ts'

const maxBytes = 10_000

/** The first line of standard input: what is secret does not belong in argv, where others see it. */
export async function readFirstLine(stdin: NodeJS.ReadableStream, what: string): Promise<string> {
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
