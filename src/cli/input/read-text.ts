import { createReadStream } from 'node:fs'
import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'
import { unreadable } from '../../util/file-error.ts'
import { readStream } from '../../util/read-stream.ts'

const maxBytes = 4_000_000

/** Reads a small text file, or standard input for `-`. Throws `usage` or `too_large`. */
export async function readText({ stdin }: Context, file: string) {
  const bytes = await readStream(file === '-' ? stdin : createReadStream(file), maxBytes).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  if (bytes) return bytes.toString('utf8')
  const what = file === '-' ? 'Standard input' : file
  throw new ReltError('too_large', `${what} is larger than ${maxBytes / 1_000_000} MB.`)
}
