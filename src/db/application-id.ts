import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Marks the files of relt, and with it databases on PostgreSQL. Until 0.1.0 it is the start of a digest of the schema, which
 * a test names when the schema has changed: a store that another commit made with other tables is refused. From 0.1.0 on it
 * is "relt" in ASCII, and the version of the schema counts.
 */
export const applicationId = 0x76cb_4377

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
