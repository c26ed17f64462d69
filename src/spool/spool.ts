import { closeSync, existsSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { writePrivateFile } from '../config/private-file.ts'
import { currentSpoolKey, findSpoolKey } from '../config/spool-key.ts'
import { ReltError } from '../errors.ts'
import { makeFolder } from '../util/make-folder.ts'
import { openOwnFile, readOwnFile } from '../util/own-file.ts'
import { seal, unseal } from '../util/seal.ts'
import type { UnixSeconds } from '../util/time.ts'
import { type Attempts, readAttempts, writeAttempts } from './attempts.ts'
import { type Bounds, defaultBounds, readBounds } from './bounds.ts'
import { packContent, type SpoolContent, unpackContent } from './content.ts'
import { decodeContent, decodeHead, type EntryHead, encodeEntry, maxHeadBytes, type SpoolServer } from './entry-file.ts'
import { bytesOfId, isEntryId, newEntryId, serverTag, serverTagOfId, uploadTag } from './entry-id.ts'
import { withLock } from './lock.ts'
import { type EntryState, SpoolFolder, unusable } from './spool-folder.ts'

export interface SpoolEntry extends Omit<EntryHead, 'keyId' | 'contentHash'> {
  id: string
  /** Size of its file. */
  bytes: number
  attempts: Attempts
}

export interface NewEntry extends SpoolContent {
  server: SpoolServer
  cluster: string | null
  environment: string | null
  idempotencyKey: string
}

export interface EntryFilter {
  /** Uploads that their servers rejected, instead of queued ones. */
  refused?: boolean
  /** By the server's tag (see `serverTag`) and the id; called before the file is opened if the id has a tag. */
  isWanted?: (tag: string, id: string) => boolean
}

/**
 * Uploads queued for their server: one file each, written atomically, in order of arrival. Rejected ones are in `refused/`.
 * `warn` is called with a sentence about each upload that is unreadable.
 */
export class Spool {
  /** Why the last `put` failed; undefined after a success. */
  lastFailure: string | undefined
  readonly #files: SpoolFolder
  readonly #env: Env
  readonly #warn: (text: string) => void
  #bounds: Bounds | undefined

  /** Default bounds: from the environment and the settings. */
  constructor(env: Env, warn: (text: string) => void, bounds?: Partial<Bounds>) {
    this.#files = new SpoolFolder(join(dataFolder(env), 'spool'))
    this.#env = env
    this.#warn = warn
    if (bounds) this.setBounds(bounds)
  }

  get folder() {
    return this.#files.path
  }

  setBounds(bounds: Partial<Bounds>) {
    this.#bounds = { ...defaultBounds, ...bounds }
  }

  /**
   * Durable once it returns. Throws `store_unusable` if the spool is full or not writable. Finds duplicates and sizes with
   * one scan of the names.
   */
  put(upload: NewEntry, now: UnixSeconds) {
    try {
      const entry = this.#put(upload, now)
      this.lastFailure = undefined
      return entry
    } catch (error) {
      this.lastFailure = (error as Error).message
      throw error
    }
  }

  #put(upload: NewEntry, now: UnixSeconds) {
    const { server, cluster, environment, idempotencyKey, body, report } = upload
    const identity = toIdentity(upload)
    const found = this.#files.survey({ server: serverTag(server.url), upload: uploadTag(identity) })
    for (const id of found.candidates) {
      const entry = this.#look(id)
      if (entry && toIdentity(entry) === identity) return entry
    }
    const { key, id: keyId } = currentSpoolKey(this.#env)
    const head = { server, cluster, environment, created: now, idempotencyKey }
    const packed = packContent({ body, report })
    const id = newEntryId({ serverUrl: server.url, identity, bytes: packed.length, last: found.last })
    const file = encodeEntry({ ...head, keyId }, seal(key, sealIdentity(id, server), packed))
    this.#requireRoom(bytesOfId(id)!)
    try {
      writePrivateFile(this.#files.fileFor(id), file)
    } catch (cause) {
      throw unusable(`The spool in ${this.folder} cannot be written: ${(cause as Error).message}.`, { cause })
    }
    return { ...head, id, bytes: file.length, attempts: readAttempts(this.#files.toAttempts(id)) }
  }

  /**
   * Oldest first; each file is read when it is its turn, in constant memory. A file that the system cannot read does not
   * stop the others: its error is thrown at the end.
   */
  *entries({ refused = false, isWanted = () => true }: EntryFilter = {}) {
    const isChosen = (id: string) => {
      const tag = serverTagOfId(id)
      return tag === undefined || isWanted(tag, id)
    }
    let failure: unknown
    for (const id of this.#files.ids(refused ? 'refused' : 'waiting', isChosen)) {
      if (!isChosen(id)) continue
      let entry: SpoolEntry | undefined
      try {
        entry = this.#look(id, refused)
      } catch (error) {
        failure ??= error
      }
      if (entry && isWanted(serverTag(entry.server.url), id)) yield entry
    }
    if (failure !== undefined) throw failure
  }

  /** The oldest queued uploads. */
  list(limit = Number.POSITIVE_INFINITY) {
    return take(this.entries(), limit)
  }

  /** The oldest rejected uploads. */
  listRefused(limit = Number.POSITIVE_INFINITY) {
    return take(this.entries({ refused: true }), limit)
  }

  /** Ids of corrupt uploads that were set aside, oldest first. */
  listBroken(limit = Number.POSITIVE_INFINITY) {
    return take(this.#files.ids('broken'), limit)
  }

  /** A queued or rejected upload. */
  find(id: string) {
    if (!isEntryId(id)) return undefined
    return this.#look(id) ?? this.#look(id, true)
  }

  /** Whether there is an upload with this id, in any state. */
  has(id: string) {
    const files = [this.#files.fileFor(id), this.#files.fileFor(id, true), this.#files.brokenOf(id)]
    return isEntryId(id) && files.some((file) => existsSync(file))
  }

  /** Ids of all uploads in this state, oldest first. */
  ids(state: EntryState) {
    return this.#files.ids(state)
  }

  usage() {
    const { candidates: _, last: _last, ...usage } = this.#files.survey()
    return usage
  }

  /** The content to send; undefined if it is gone or corrupt. Throws `key_unavailable`, and the upload stays. */
  read(id: string) {
    const file = this.#files.fileFor(id)
    const isRefused = statSync(file, { throwIfNoEntry: false }) === undefined
    return this.#reading(id, isRefused, (file) => {
      const { head, content } = decodeContent(readOwnFile(file))
      return unpackContent(unseal(findSpoolKey(this.#env, head.keyId), sealIdentity(id, head.server), content))
    })
  }

  /** Records another failed attempt. Moves a rejected upload to `refused/`. */
  failed({ id, attempts }: SpoolEntry, { error, refused }: { error: string; refused: boolean }) {
    const next = { count: attempts.count + 1, lastError: error.slice(0, 500), refused: refused || attempts.refused }
    if (refused && !attempts.refused) this.#setRefused(id, next)
    else this.#writeAttempts(this.#files.toAttempts(id, attempts.refused), next)
  }

  remove(id: string) {
    for (const isRefused of [false, true]) {
      rmSync(this.#files.fileFor(id, isRefused), { force: true })
      rmSync(this.#files.toAttempts(id, isRefused), { force: true })
    }
    rmSync(this.#files.brokenOf(id), { force: true })
  }

  /** Why no upload can be written now; undefined if one can. Writes a small file and removes it. */
  findProblem() {
    const probe = join(this.folder, `lock.${Math.random().toString(16).slice(2)}`)
    try {
      makeFolder(this.folder)
      writePrivateFile(probe, Buffer.alloc(maxHeadBytes))
      rmSync(probe)
      return undefined
    } catch (error) {
      return `The spool in ${this.folder} cannot be written: ${(error as Error).message}.`
    }
  }

  /** Locks the spool for sending or removing. Throws `busy` if another process has the lock. */
  async alone<T>(work: () => Promise<T>) {
    const done = await withLock(join(this.folder, 'lock'), work)
    if (done) return done.result
    throw new ReltError('busy', 'Another process is sending the spool.', {
      hint: 'Try again later. The lock of a killed process expires after 30 s.',
    })
  }

  #look(id: string, isRefused = false) {
    const entry = this.#reading(id, isRefused, (file) => {
      const { keyId: _key, contentHash: _hash, ...head } = decodeHead(readStart(file)).head
      const attempts = readAttempts(this.#files.toAttempts(id, isRefused))
      return { ...head, id, bytes: statSync(file).size, attempts }
    })
    if (!entry || isRefused) return entry && { ...entry, attempts: { ...entry.attempts, refused: true } }
    if (!entry.attempts.refused) return entry
    // An older version left it here, or a process was killed before it moved the file.
    this.#setRefused(id, entry.attempts)
    return undefined
  }

  #reading<T>(id: string, isRefused: boolean, read: (file: string) => T) {
    const file = this.#files.fileFor(id, isRefused)
    try {
      return read(file)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return undefined
      if (error instanceof ReltError && error.code === 'key_unavailable') throw error
      if (systemCodes.includes(code ?? '')) throw unusable(`${file} cannot be read: ${message}.`)
      const aside = this.#files.brokenOf(id)
      if (!moveIfThere(file, aside)) return undefined
      this.#warn(`The upload ${id} is broken: ${message}. It was moved to ${aside}.`)
      return undefined
    }
  }

  /** Concurrent processes may each exceed the limits by one upload. */
  #requireRoom(more: number) {
    const { count, bytes } = this.#limits()
    const used = this.usage()
    if (used.waiting + used.refused + used.broken < count && used.bytes + more <= bytes) return
    const limit = `${count} uploads or ${Math.floor(bytes / 1024 / 1024)} MB`
    throw unusable(`The spool in ${this.folder} is full: the limit is ${limit}.`, {
      hint: 'Run `relt spool list`, then `relt spool send` or `relt spool drop ID`.',
    })
  }

  /** Writes the reason first: a process killed in between leaves the upload queued. */
  #setRefused(id: string, attempts: Attempts) {
    makeFolder(this.#files.folderFor(true))
    this.#writeAttempts(this.#files.toAttempts(id, true), attempts)
    moveIfThere(this.#files.fileFor(id), this.#files.fileFor(id, true))
    rmSync(this.#files.toAttempts(id), { force: true })
  }

  /** On a full disk the attempt is not recorded, but sending continues, which frees space. */
  #writeAttempts(file: string, attempts: Attempts) {
    try {
      writeAttempts(file, attempts)
    } catch (error) {
      this.#warn(`${file} cannot be written: ${(error as Error).message}.`)
    }
  }

  #limits() {
    this.#bounds ??= readBounds(this.#env)
    return this.#bounds
  }
}

/** Equal for the same report to the same target: sending it twice would store it once. */
function toIdentity({
  idempotencyKey,
  server: { url, user, team },
  cluster,
  environment,
}: Pick<NewEntry, 'idempotencyKey' | 'server' | 'cluster' | 'environment'>) {
  return JSON.stringify([idempotencyKey, url, user, team ?? null, cluster, environment])
}

/** An upload that was renamed, or got another server or team, cannot be opened. */
const sealIdentity = (id: string, { url, user, team }: SpoolServer) =>
  `spool ${id} ${user ?? ''}@${url}${team === undefined ? '' : ` ${team}`}`

function take<T>(all: Iterable<T>, limit: number) {
  const taken: T[] = []
  for (const each of all) {
    if (taken.length >= limit) break
    taken.push(each)
  }
  return taken
}

/** The system could not read the file, which says nothing about its content. */
const systemCodes = ['EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE']

/** Another process may have moved it first. */
function moveIfThere(file: string, to: string) {
  try {
    renameSync(file, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function readStart(file: string) {
  const handle = openOwnFile(file)
  try {
    const start = Buffer.alloc(maxHeadBytes)
    return start.subarray(0, readSync(handle, start, 0, maxHeadBytes, 0))
  } finally {
    closeSync(handle)
  }
}
