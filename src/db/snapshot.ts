import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ReltError } from '../errors.ts'
import { refuseOtherFile } from './earlier-store.ts'
import { newestSchema } from './migrations.ts'
import { connectForReading } from './read-only.ts'
import { quote } from './schema/create.ts'
import { tables } from './schema/index.ts'

const patienceMs = 30_000

/** Opens a store for reading as of now, while others write to it. Throws `usage` if there is none. */
export function openSnapshot(file: string) {
  if (!existsSync(file)) {
    throw new ReltError('usage', `There is no store in ${dirname(file)}.`, {
      hint: 'Name its data folder with --data.',
    })
  }
  refuseOtherFile(file)
  const sqlite = connectForReading(file, patienceMs)
  // The snapshot starts with the first read.
  sqlite.exec('begin')
  const { user_version: version } = sqlite.prepare('pragma user_version').get()!
  if (version === newestSchema()) return sqlite
  sqlite.close()
  throw new ReltError('store_unusable', `The store ${file} has another schema than this relt.`, {
    hint: 'Open it with the newest relt first: `relt admin audit --data` with its folder.',
  })
}

/** Rows of all tables. */
export function countRows(sqlite: DatabaseSync) {
  const counts = tables.map(({ name }) => `(select count(*) from ${quote(name)})`)
  return sqlite.prepare(`select ${counts.join(' + ')} as count`).get()!.count as number
}

export const findMeta = (sqlite: DatabaseSync, key: string) =>
  (sqlite.prepare('select value from meta where key = ?').get(key)?.value as string | undefined) ?? null
