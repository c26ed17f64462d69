import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { ReltError } from '../errors.ts'
import { keepOwner } from '../util/keep-owner.ts'
import { newestSchema } from './migrations.ts'
import { holdAlone } from './presence.ts'
import { connectForReading } from './read-only.ts'
import { toStoreError } from './sqlite-error.ts'

/** All pages in one step: a copy in several steps restarts whenever another process writes in between. */
const allPages = 2 ** 31 - 1
const patienceMs = 30_000

/** Copies a database that others may be writing to, as of one moment, into an empty file. */
export async function copyDatabase(from: string, to: string) {
  const source = connectForReading(from, patienceMs)
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
}

/** Locks on the partial files of this process. */
const locks = new Map<string, { release: () => void }>()

/**
 * Creates an empty, private file next to its final path. Its lock shows other processes that this one is alive; brief files
 * have none.
 */
export function makePartial(file: string, { isBrief = false } = {}) {
  removeOldPartials(dirname(file))
  const partial = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.partial`)
  if (!isBrief) {
    createEmpty(`${partial}-lock`)
    const lock = holdAlone(`${partial}-lock`)
    // Another process took it for an abandoned file.
    if (!lock) return makePartial(file)
    locks.set(partial, lock)
  }
  createEmpty(partial)
  return partial
}

function createEmpty(file: string) {
  const handle = openSync(file, 'wx', 0o600)
  keepOwner(handle, dirname(file))
  closeSync(handle)
}

const abandonedMs = 3_600_000

const suffixes = ['', '-journal', '-wal', '-shm'] as const
const partialName = /^(\..+\.[0-9a-f]{12}\.partial)(?:-journal|-wal|-shm|-lock)?$/

/** Removes partial files of killed processes, including those of a series, whose names differ. */
function removeOldPartials(folder: string) {
  const names = readdirSync(folder).flatMap((name) => partialName.exec(name)?.[1] ?? [])
  for (const name of new Set(names)) {
    const partial = join(folder, name)
    if (existsSync(`${partial}-lock`)) removeUnheld(partial)
    else removeAbandoned(partial)
  }
}

function removeUnheld(partial: string) {
  try {
    const lock = locks.has(partial) ? undefined : holdAlone(`${partial}-lock`)
    if (!lock) return
    for (const suffix of [...suffixes, '-lock']) rmSync(partial + suffix, { force: true })
    lock.release()
  } catch {
    // The file belongs to another account or is not a lock file, so it is left alone.
  }
}

/** Brief files have no lock. */
function removeAbandoned(partial: string) {
  for (const suffix of suffixes) {
    const found = statSync(partial + suffix, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > abandonedMs) rmSync(partial + suffix, { force: true })
  }
}

export function removePartial(partial: string) {
  for (const suffix of suffixes) rmSync(partial + suffix, { force: true })
  releasePartial(partial)
}

function releasePartial(partial: string) {
  const lock = locks.get(partial)
  if (!lock) return
  rmSync(`${partial}-lock`, { force: true })
  lock.release()
  locks.delete(partial)
}

/** Renames a finished file to its final path atomically, and syncs it to disk. */
export function publish(partial: string, file: string) {
  syncToDisk(partial)
  renameSync(partial, file)
  releasePartial(partial)
  if (process.platform !== 'win32') syncToDisk(dirname(file))
}

/** Unlike a rename, a link never replaces a store that another process created in the meantime. */
export function publishNew(partial: string, store: string) {
  syncToDisk(partial)
  try {
    linkSync(partial, store)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new ReltError('usage', `${dirname(store)} has a store already.`, { cause: error })
    // Some file systems do not support hard links.
  }
  publish(partial, store)
}

/** Throws `store_full`, with the file name, if the disk is full; rethrows other errors. */
export async function orFullDisk<T>(file: string, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    const { code } = toStoreError(error) as { code?: string }
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'store_full'
    if (!isFull) throw error
    const hint = 'Free some space, then try again.'
    throw new ReltError('store_full', `${file} cannot be written: no space left.`, { hint, cause: error })
  }
}

/** Syncs a file or the entries of a folder, to survive a power loss. */
export function syncToDisk(path: string) {
  const handle = openSync(path, statSync(path).isDirectory() ? 'r' : 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * Copies the store to `relt.db.before-vN` before a migration. Removes the copy of an earlier migration. Skipped for a new
 * store, and if another process has migrated and copied it in the meantime; a store of a newer relt is rejected.
 */
export async function copyBeforeMigration(store: DatabaseSync, file: string) {
  const newest = newestSchema()
  const version = versionFor(store)
  if (version === 0 || version > newest) return
  const copy = `${file}.before-v${newest}`
  const partial = makePartial(copy)
  try {
    await orFullDisk(copy, () => copyDatabase(file, partial))
    if (isMigrated(partial)) return
    chmodSync(partial, 0o600)
    publish(partial, copy)
  } finally {
    removePartial(partial)
  }
  const others = readdirSync(dirname(file)).filter(
    (name) => name.startsWith(`${basename(file)}.before-v`) && name !== basename(copy),
  )
  for (const name of others) if (existsSync(copy)) rmSync(join(dirname(file), name), { force: true })
}

const versionFor = (sqlite: DatabaseSync) => sqlite.prepare('pragma user_version').get()!.user_version as number

function isMigrated(file: string) {
  const sqlite = new DatabaseSync(file)
  try {
    sqlite.exec('pragma journal_mode = delete')
    return versionFor(sqlite) >= newestSchema()
  } finally {
    sqlite.close()
  }
}
