import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../util/make-folder.ts'
import { replaceFile } from '../util/replace-file.ts'

/** Writes a file that only its owner can read. The write is atomic and survives a kill or power loss. */
export function writePrivateFile(file: string, content: string | Uint8Array) {
  const folder = dirname(file)
  makeFolder(folder)
  replaceFile(file, content, { isDurable: true })
  syncFolder(folder)
}

/** Windows has no such call. */
function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
