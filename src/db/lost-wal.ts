import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ReltError } from '../errors.ts'

const toSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** No process has the store open. It was either closed cleanly or copied without its last changes. */
export const isWithoutWal = (file: string): boolean => toSize(file) > 0 && toSize(`${file}-wal`) === 0

/**
 * The last changes of a store, which may be all of it, are in `relt.db-wal` while it is in use. A store that knows no key
 * beside a key file was copied without them: a new store knows the key beside it. Throws `store_unusable`.
 */
export function refuseLostWal(sqlite: DatabaseSync, file: string, keyFile: string): void {
  // Less than a key is what a process that was killed has left.
  if (toSize(keyFile) < 32 || knowsKey(sqlite)) return
  throw new ReltError('store_unusable', `${file} has no data, but ${keyFile} belongs to a store.`, {
    hint: 'It was probably copied without relt.db-wal: copy that, too, or restore a backup. For a new store, remove relt.db or set RELT_MASTER_KEY.',
  })
}

function knowsKey(sqlite: DatabaseSync): boolean {
  const { user_version: version } = sqlite.prepare('pragma user_version').get() as { user_version: number }
  return version > 0 && sqlite.prepare(`select 1 from meta where key = 'master_key_id'`).get() !== undefined
}
