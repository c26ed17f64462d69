import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ReltError } from '../errors.ts'
import { isUnwritable } from './sqlite-error.ts'
import { refuseOtherThanStoreFiles } from './store-files.ts'

/** On a read-only disk, SQLite cannot create the files that a store in WAL mode needs beside it. */
export function connectForReading(file: string, timeoutMs = 0) {
  refuseOtherThanStoreFiles(file)
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: timeoutMs })
  try {
    sqlite.prepare('pragma schema_version').get()
  } catch (error) {
    if (!isUnwritable(error)) return sqlite
    sqlite.close()
    return connectReadOnly(file)
  }
  return sqlite
}

/** Without a `-wal` the file is complete and can be read; with one, SQLite would need to write beside it. */
export function connectReadOnly(file: string) {
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (wal && wal.size > 0) {
    throw new ReltError(
      'store_unusable',
      `The store ${file} is read-only and its last changes are still in ${file}-wal.`,
      {
        hint: 'Copy relt.db and relt.db-wal to a writable folder and set RELT_HOME to it.',
      },
    )
  }
  return new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })
}
