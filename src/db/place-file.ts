import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../util/make-folder.ts'
import { makePartial, syncToDisk } from './copy.ts'

/**
 * Creates a private file with these bytes, atomically. Returns false if it already exists, or if the disk is full, read-only
 * or has no hard links.
 */
export function placeFile(file: string, bytes: Uint8Array) {
  let partial: string | undefined
  try {
    makeFolder(dirname(file))
    partial = makePartial(file, { isBrief: true })
    writeFileSync(partial, bytes)
    syncToDisk(partial)
    // A rename would replace the file of a faster process.
    linkSync(partial, file)
    if (process.platform !== 'win32') syncToDisk(dirname(file))
    return true
  } catch {
    return false
  } finally {
    if (partial) rmSync(partial, { force: true })
  }
}
