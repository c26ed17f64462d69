import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Marks files and PostgreSQL databases of relt. Until 0.1.0 it is the start of a digest of the schema, which a test prints
 * when the schema changes: a store written by another commit with other tables is rejected. From 0.1.0 on it is "relt" in
 * ASCII, and the schema version decides.
 */
export const applicationId = 0x7c0c_b04f

/**
 * Reads a SQLite file without its `-wal`, and without changing it or its `-wal` or `-shm`, which any other connection could
 * create, fill or remove. SQLite opens the file, because closing a descriptor of our own would drop this process's locks.
 */
export function readUntouched<T>(file: string, read: (sqlite: DatabaseSync) => T) {
  const sqlite = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })
  try {
    return read(sqlite)
  } finally {
    sqlite.close()
  }
}

/** Also false for a file that is empty, is not a database, or has all its content in the `-wal`. */
export function hasApplicationId(file: string) {
  try {
    return readUntouched(
      file,
      (sqlite) => sqlite.prepare('pragma application_id').get()?.application_id === applicationId,
    )
  } catch {
    return false
  }
}
