import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../util/make-folder.ts'
import { makePartial, syncToDisk } from './copy.ts'

/**
 * Creates a file with these bytes, all at once, for its owner only. Returns false when there is one already, and when
 * the disk does not allow it: it is full, read-only or without hard links.
 */
export function placeFile(file: string, bytes: Uint8Array): boolean {
  let partial: string | undefined
  try {
    makeFolder(dirname(file))
    partial = makePartial(file, { isBrief: true })
    writeFileSync(partial, bytes)
    syncToDisk(partial)
    // A rename would replace the file of a process that was faster.
    linkSync(partial, file)
    if (process.platform !== 'win32') syncToDisk(dirname(file))
    return true
  } catch {
    return false
  } finally {
    if (partial) rmSync(partial, { force: true })
  }
}
