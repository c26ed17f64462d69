import { readFileSync, statSync } from 'node:fs'

/** Throws when the file is larger than `maxBytes`, is no file, or cannot be read. */
export function readSmallFile(file: string, maxBytes: number): Buffer {
  const stat = statSync(file)
  if (!stat.isFile()) throw new Error('it is not a file')
  if (stat.size > maxBytes) throw new Error(`it is larger than ${Math.floor(maxBytes / 1024)} KB`)
  return readFileSync(file)
}
