import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../util/make-folder.ts'
import { isBusy } from './sqlite-error.ts'
import { refuseOtherThanStoreFiles } from './store-files.ts'

/**
 * Shows other processes that this one is alive, by a shared lock that the operating system releases when the process ends.
 * Writes nothing while held, and needs no process id, which would mean nothing in another container.
 */
export function holdPresence(file: string) {
  makeFolder(dirname(file))
  refuseOtherThanStoreFiles(file)
  const sqlite = new DatabaseSync(file, { timeout: 2000 })
  // A reader of a database with a rollback journal holds a shared lock until its transaction ends.
  sqlite.exec('pragma journal_mode = delete; create table if not exists presence (id integer); begin')
  sqlite.prepare('select count(*) from presence').get()
  return { release: () => sqlite.close() }
}

/**
 * Acquires an exclusive lock; undefined if another process has it. The operating system releases it when the process ends.
 */
export function holdAlone(file: string) {
  makeFolder(dirname(file))
  refuseOtherThanStoreFiles(file)
  const sqlite = new DatabaseSync(file, { timeout: 0 })
  try {
    // In-memory journal, so that no journal file is created.
    sqlite.exec('pragma journal_mode = memory; begin exclusive')
    return { release: () => sqlite.close() }
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/** Whether any process holds a presence lock on the file. False without the file. */
export function isPresent(file: string) {
  let sqlite: DatabaseSync
  try {
    refuseOtherThanStoreFiles(file)
    sqlite = new DatabaseSync(file, { readOnly: false, timeout: 0 })
  } catch {
    return false
  }
  try {
    sqlite.exec('begin exclusive; rollback')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    sqlite.close()
  }
}
