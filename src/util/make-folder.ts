import { closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { keepOwner } from './keep-owner.ts'

/**
 * Creates a private folder, and its parents. Throws the system's error. Node's own recursive `mkdir` never returns if the
 * system denies a folder with ENOENT, as `/proc` does.
 */
export function makeFolder(folder: string) {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
    if (process.geteuid?.() === 0) giveToOwnerFor(parent, folder)
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error
  }
}

function giveToOwnerFor(parent: string, folder: string) {
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  keepOwner(handle, parent)
  closeSync(handle)
}

function isFolder(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
