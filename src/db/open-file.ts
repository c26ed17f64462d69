import { DatabaseSync } from 'node:sqlite'
import { SqliteDriver } from './driver.ts'
import { refuseOtherFile } from './earlier-store.ts'
import { type Db, toKysely, usualPatienceMs } from './open.ts'
import { connectForReading } from './read-only.ts'
import { refuseOtherThanStoreFiles } from './store-files.ts'

/**
 * Opens a file in its own journal mode, without migrating it: a copy of a store, or a store to read. Throws `store_unusable`
 * for a store from before 0.1.0, or another database.
 */
export function openFile(file: string, { readOnly = false } = {}): Db {
  refuseOtherThanStoreFiles(file)
  refuseOtherFile(file)
  const main = readOnly ? connectForReading(file) : new DatabaseSync(file, { timeout: 0 })
  return toKysely(new SqliteDriver({ main, openWriter: () => main, patienceMs: usualPatienceMs }))
}
