import { fchownSync, statSync } from 'node:fs'

/**
 * Gives what root has created in somebody's folder to the owner of the folder, as SQLite does with its files. A service that
 * runs as this owner could not use it otherwise. The handle is of the new file or folder, so no link can be in its place.
 */
export function keepOwner(handle: number, folder: string): void {
  if (process.geteuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(folder)
    if (uid !== 0) fchownSync(handle, uid, gid)
  } catch {
    // Not every file system and container has owners.
  }
}
