import { join, resolve } from 'node:path'
import { nameOfDatabase, readDatabaseAddress } from '../config/database.ts'
import { dataFolder, type Env } from '../config/env.ts'
import { isDatabaseUrl, placeOfStore } from '../config/store-place.ts'
import { newestSchema } from '../db/migrations.ts'
import { countRows, findMeta, openSnapshot } from '../db/snapshot.ts'
import { ReltError } from '../errors.ts'
import { findKey } from '../operations/store-care/restore.ts'

interface StoreCopyOptions {
  env: Env
  /** Data folder of the source; default: the usual one. */
  data?: string | undefined
  /** URL of an empty database; default: RELT_DATABASE_URL. */
  to?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number, table: string) => void) | undefined
}

/** Copies a SQLite store, as of one moment, into an empty PostgreSQL database, completely or not at all. Throws `ReltError`. */
export async function copyStore({ env: given, data, to, signal, onProgress }: StoreCopyOptions) {
  const { env, folder: keyFolder } = placeOfStore(given, to)
  const address = readDatabaseAddress(env)
  if (!address || (to !== undefined && !isDatabaseUrl(to))) {
    throw new ReltError('usage', 'The target is no PostgreSQL database.', {
      hint: 'Name an empty database: --to postgres://user@host/database. For a copy as a file: relt admin backup FILE',
    })
  }
  const folder = resolve(data ?? dataFolder(given))
  const source = openSnapshot(join(folder, 'relt.db'))
  try {
    const total = countRows(source)
    let done = 0
    const onRows = (rows: number, table: string) => {
      if (signal?.aborted)
        throw new ReltError('cancelled', 'Interrupted. Nothing was copied, and the target is as it was.')
      done += rows
      onProgress?.(done, total, table)
    }
    const [{ openPostgres }, { fillFromSqlite }] = await Promise.all([
      import('../db/postgres/open.ts'),
      import('../db/postgres/fill.ts'),
    ])
    const db = await openPostgres(address, { asIs: true })
    try {
      const copied = await fillFromSqlite(db, source, onRows)
      const key = {
        masterKeyId: findMeta(source, 'master_key_id'),
        masterKeyPlace: findMeta(source, 'master_key_place'),
      }
      return {
        from: folder,
        to: nameOfDatabase(address),
        schema: newestSchema(),
        rows: total,
        tables: [...copied].map(([table, rows]) => ({ table, rows })),
        /** Null: it contains no sealed data yet. */
        master_key: await findKey(key, { env, folder: keyFolder }),
      }
    } finally {
      await db.destroy()
    }
  } finally {
    source.close()
  }
}
