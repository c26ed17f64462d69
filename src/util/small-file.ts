import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { openOwnFile } from './own-file.ts'

/** Throws if the file is larger than `maxBytes`, not a regular file, or unreadable. */
export function readSmallFile(file: string, maxBytes: number): Buffer {
  const handle = openOwnFile(file)
  try {
    if (fstatSync(handle).size > maxBytes) throw new Error(`it is larger than ${Math.floor(maxBytes / 1024)} KB`)
    return readFileSync(handle)
  } finally {
    closeSync(handle)
  }
}
