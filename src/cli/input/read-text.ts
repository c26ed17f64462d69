import { createReadStream } from 'node:fs'
import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'
import { unreadable } from '../../util/file-error.ts'

const maxBytes = 4_000_000

/** Reads a small text file, or standard input for `-`. Throws `usage` or `too_large`. */
export async function readText({ stdin }: Context, file: string): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of file === '-' ? stdin : createReadStream(file)) {
      const bytes = Buffer.from(chunk)
      length += bytes.length
      if (length > maxBytes)
        throw new ReltError(
          'too_large',
          `${file === '-' ? 'Standard input' : file} is larger than ${maxBytes / 1_000_000} MB.`,
        )
      chunks.push(bytes)
    }
  } catch (error) {
    if (error instanceof ReltError) throw error
    throw unreadable(file, error)
  }
  return Buffer.concat(chunks).toString('utf8')
}
