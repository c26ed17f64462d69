import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Works in a folder that relt creates inside one that others may write to. `path` leads to the checked folder, even if
 * another takes its name in the meantime, on systems that can address an open folder. Throws for a link, and for a folder of
 * another account or on another file system.
 */
export function inInnerFolder<T>(outer: string, name: string, work: (path: string) => T) {
  const folder = join(outer, name)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  checkInnerFolder(outer, name)
  if (process.platform !== 'linux') return work(folder)
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    refuseForeign(folder, outer, fstatSync(handle))
    return work(`/proc/self/fd/${handle}`)
  } finally {
    closeSync(handle)
  }
}

/** Throws the errors of `inInnerFolder`; a missing folder is allowed. */
export function checkInnerFolder(outer: string, name: string) {
  const folder = join(outer, name)
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats) return
  if (stats.isSymbolicLink()) throw new Error(`${folder} is a link, which relt does not follow; remove it`)
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder; remove it`)
  refuseForeign(folder, outer, stats)
}

function refuseForeign(folder: string, outer: string, { uid, dev }: { uid: number; dev: number }) {
  const own = process.geteuid?.()
  // Root can write to any folder.
  if (own !== undefined && uid !== own && uid !== 0) {
    throw new Error(`${folder} belongs to another account; remove it, or give it to the account of the agent`)
  }
  if (statSync(outer).dev !== dev) throw new Error(`${folder} is on another file system; remove it`)
}
