import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ReltError } from '../errors.ts'

const toSize = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** No process has the store open. It was either closed cleanly or copied without its WAL. */
export const isWithoutWal = (file: string) => toSize(file) > 0 && toSize(`${file}-wal`) === 0

/**
 * While a store is in use, its last changes, maybe all of them, are in `relt.db-wal`. A store without keys beside a key file
 * was copied without its WAL: a new store knows the key beside it. Throws `store_unusable`.
 */
export function refuseLostWal(sqlite: DatabaseSync, file: string, keyFile: string) {
  // A file shorter than a key was left by a killed process.
  if (toSize(keyFile) < 32 || knowsKey(sqlite)) return
  throw new ReltError('store_unusable', `${file} has no data, but ${keyFile} belongs to a store.`, {
    hint: 'It was probably copied without relt.db-wal: copy that, too, or restore a backup. For a new store, remove relt.db or set RELT_MASTER_KEY.',
  })
}

function knowsKey(sqlite: DatabaseSync) {
  const { user_version: version } = sqlite.prepare('pragma user_version').get() as { user_version: number }
  return version > 0 && sqlite.prepare(`select 1 from meta where key = 'master_key_id'`).get() !== undefined
}
