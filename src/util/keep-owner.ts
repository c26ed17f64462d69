import { fchownSync, statSync } from 'node:fs'

/**
 * Gives files that root created in another user's folder to the folder's owner, as SQLite does. Otherwise a service that
 * runs as this owner could not use them. The handle is that of the new file or folder, so it cannot be replaced by a link.
 */
export function keepOwner(handle: number, folder: string) {
  if (process.geteuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(folder)
    if (uid !== 0) fchownSync(handle, uid, gid)
  } catch {
    // Not every file system or container supports owners.
  }
}
