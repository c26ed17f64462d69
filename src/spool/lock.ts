import { randomBytes } from 'node:crypto'
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { keepOwner } from '../util/keep-owner.ts'
import { makeFolder } from '../util/make-folder.ts'
import { readOwnFile } from '../util/own-file.ts'

/** Interval of the holder's heartbeat, and the time without one after which the lock expires. */
const beatMs = 5_000
const silentMs = 30_000

/**
 * Does the work under an exclusive lock. Undefined if another process has it. A killed holder is detected by its missing
 * heartbeat, because its process id means nothing in another container.
 */
export async function withLock<T>(file: string, work: () => Promise<T>) {
  const owner = take(file, randomBytes(12).toString('hex'))
  if (owner === undefined) return undefined
  const beat = setInterval(() => touch(file, owner), beatMs)
  beat.unref()
  try {
    return { result: await work() }
  } finally {
    clearInterval(beat)
    if (isOf(file, owner)) rmSync(file, { force: true })
  }
}

function touch(file: string, owner: string) {
  try {
    if (isOf(file, owner)) utimesSync(file, new Date(), new Date())
  } catch {
    // Another process took the lock over at this moment.
  }
}

/** The owner in the lock file; undefined if another process has the lock. */
function take(file: string, owner: string) {
  makeFolder(dirname(file))
  removeSilent(file)
  let handle: number
  try {
    handle = openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
  try {
    keepOwner(handle, dirname(file))
    writeFileSync(handle, owner)
    return owner
  } catch {
    // A full disk allows only an empty file, but the work under the lock frees space.
    return ''
  } finally {
    closeSync(handle)
  }
}

/** If several processes find the lock expired, one moves it away. A process that moved a new lock restores it. */
function removeSilent(file: string) {
  if (!isSilent(file)) return
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    renameSync(file, aside)
    if (!isSilent(aside)) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  rmSync(aside, { force: true })
}

function isSilent(file: string) {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > silentMs
}

function isOf(file: string, owner: string) {
  try {
    return readOwnFile(file).toString('utf8') === owner
  } catch {
    return false
  }
}
