import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type DatabaseAddress, nameOfDatabase, readDatabaseAddress } from '../config/database.ts'
import { dataFolder, type Env } from '../config/env.ts'
import { isDatabaseUrl, placeOfStore } from '../config/store-place.ts'
import { orFullDisk } from '../db/copy.ts'
import { newestSchema } from '../db/migrations.ts'
import type { CopySource, CopyTarget } from '../db/store-copy/end.ts'
import { openSqliteSource, openSqliteTarget } from '../db/store-copy/sqlite.ts'
import { ReltError } from '../errors.ts'
import { copyStore } from '../operations/store-care/copy-store.ts'
import { findKey, refuseFullFolder } from '../operations/store-care/restore.ts'
import { makeFolder } from '../util/make-folder.ts'

interface StoreCopyOptions {
  env: Env
  /** Folder or file of a SQLite store, or database URL; default: the store that relt uses. */
  from: string | undefined
  /** Folder or database URL; default: the store that relt uses. */
  to: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number, table: string) => void) | undefined
}

/** One end of a copy: source or target. */
interface Place {
  /** Name for users, without a password. */
  name: string
  env: Env
  /** Data folder, which may contain the master key. */
  folder: string
  /** Undefined: a SQLite store in the folder. */
  address: DatabaseAddress | undefined
}

/**
 * Copies a store into an empty folder or database, completely or not at all. Writes nothing to the source. Throws
 * `ReltError`.
 */
export async function copyStoreBetween({ env, from, to, signal, onProgress }: StoreCopyOptions) {
  const [source, target] = [placeFor(env, from), placeFor(env, to)]
  const reader = await openSource(source)
  try {
    const copy = () => copyStore({ from: reader, openTarget: () => openTarget(target), signal, onProgress })
    const tables = await (target.address ? copy() : orFullDisk(storeFile(target), copy))
    const key = {
      masterKeyId: (await reader.findMeta('master_key_id')) ?? null,
      masterKeyPlace: (await reader.findMeta('master_key_place')) ?? null,
    }
    return {
      from: source.name,
      to: target.name,
      schema: newestSchema(),
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      tables,
      /** Null: it contains no sealed data yet. */
      master_key: await findKey(key, target),
    }
  } finally {
    await reader.close()
  }
}

function placeFor(given: Env, data: string | undefined): Place {
  if (data === undefined || isDatabaseUrl(data)) {
    const { env, folder } = placeOfStore(given, data)
    const address = readDatabaseAddress(env)
    if (address) return { name: nameOfDatabase(address), env, folder, address }
  }
  const folder = resolve(data ?? dataFolder(given))
  return { name: folder, env: given, folder, address: undefined }
}

const storeFile = ({ folder }: Place) => join(folder, 'relt.db')

async function openSource(place: Place): Promise<CopySource> {
  if (place.address) return (await import('../db/postgres/store-copy.ts')).openPostgresSource(place.address)
  const file = statSync(place.folder, { throwIfNoEntry: false })?.isFile() ? place.folder : storeFile(place)
  if (!existsSync(file)) {
    throw new ReltError('usage', `There is no store in ${place.folder}.`, { hint: 'Name its data folder with --from.' })
  }
  return openSqliteSource(file)
}

async function openTarget(place: Place): Promise<CopyTarget> {
  if (place.address) return (await import('../db/postgres/store-copy.ts')).openPostgresTarget(place.address)
  refuseFullFolder(place.folder, '--to')
  makeFolder(place.folder)
  return openSqliteTarget(storeFile(place))
}
