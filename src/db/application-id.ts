import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** "relt" in ASCII. Stores from before 0.1.0 have none. */
export const applicationId = 0x72_65_6c_74

/**
 * Reads a SQLite file without changing it, its `-wal` or its `-shm`, which any other connection could create, fill or remove:
 * as it is without its `-wal`. SQLite opens it, because closing a descriptor of our own would drop the locks of this process.
 */
export function readUntouched<T>(file: string, read: (sqlite: DatabaseSync) => T): T {
  const sqlite = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })
  try {
    return read(sqlite)
  } finally {
    sqlite.close()
  }
}

/** False also for a file that has everything in its `-wal`, is empty, or is no database. */
export function hasApplicationId(file: string): boolean {
  try {
    return readUntouched(
      file,
      (sqlite) => sqlite.prepare('pragma application_id').get()?.application_id === applicationId,
    )
  } catch {
    return false
  }
}
