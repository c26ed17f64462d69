import { lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../util/make-folder.ts'
import { replaceFile } from '../util/replace-file.ts'

/**
 * Loads a native addon from its bytes. The system loads addons only from files, so it is written to a new private folder.
 * Several places are tried, because some are mounted `noexec`.
 */
export function loadAddon<T>(bytes: Uint8Array, places: readonly string[]): T {
  let failure: unknown = new Error('there is no folder that others cannot change')
  for (const place of places) {
    try {
      makeFolder(place)
      if (!isSafe(place)) continue
      return loadFrom<T>(mkdtempSync(join(realpathSync(place), 'relt-addon-')), bytes)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function loadFrom<T>(folder: string, bytes: Uint8Array) {
  try {
    const file = join(folder, 'addon.node')
    replaceFile(file, bytes, { mode: 0o700 })
    const module = { exports: {} as T }
    process.dlopen(module, file)
    return module.exports
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows cannot remove a loaded file.
    }
  }
}

/** Whether no other user can rename or replace files in the folder or its parents. Always true on Windows, which ignores modes. */
function isSafe(folder: string): boolean {
  return process.platform === 'win32' || isPrivatePath(realpathSync(folder))
}

function isPrivatePath(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  const isOthers = (mode & 0o022) !== 0
  // In a sticky folder such as /tmp only the owner of an entry can rename it.
  const isSticky = (mode & 0o1000) !== 0
  if ((uid !== 0 && uid !== process.getuid?.()) || (isOthers && !isSticky)) return false
  return dirname(folder) === folder || isPrivatePath(dirname(folder))
}
