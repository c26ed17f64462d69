import { createReadStream } from 'node:fs'
import type { Context } from '../../context.ts'
import type { WantedFile } from '../../declarative/read-wanted.ts'
import { ReltError } from '../../errors.ts'
import { unreadable } from '../../util/file-error.ts'
import { readStream } from '../../util/read-stream.ts'

export const defaultFile = 'relt.yaml'

/** Reads a file, or standard input for `-`. Throws `usage` if it is unreadable or invalid. */
export async function readWantedFile(context: Context, file: string): Promise<WantedFile> {
  const [{ readWanted }, { maxBytes }] = await Promise.all([
    import('../../declarative/read-wanted.ts'),
    import('../../declarative/source.ts'),
  ])
  const name = file === '-' ? 'standard input' : file
  const stream = file === '-' ? context.stdin : createReadStream(file)
  const bytes = await readStream(stream, maxBytes).catch((cause: unknown) => {
    throw unreadable(name, cause, 'Export your account: relt export --out relt.yaml')
  })
  if (!bytes) throw new ReltError('too_large', `${name} is larger than ${maxBytes / 1024 / 1024} MB.`)
  return readWanted(bytes.toString('utf8'), name)
}
