import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { writePrivateFile } from '../config/private-file.ts'
import { currentSpoolKey, findSpoolKey } from '../config/spool-key.ts'
import { ReltError } from '../errors.ts'
import { seal, unseal } from '../util/seal.ts'
import { type Attempts, readAttempts, writeAttempts } from './attempts.ts'
import { packContent, type SpoolContent, unpackContent } from './content.ts'
import { decodeContent, decodeHead, type EntryHead, encodeEntry, maxHeadBytes, type SpoolServer } from './entry-file.ts'
import { withLock } from './lock.ts'

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

export interface Limits {
  count: number
  bytes: number
}

const limits: Limits = { count: 200, bytes: 1024 * 1024 * 1024 }

/** A draft unfinished for this long belongs to a killed process. */
const draftMs = 3_600_000
const leftOver = /\.(upload|attempts)\.[0-9a-f]+$|^lock\./

const ending = '.upload'
const brokenEnding = '.broken'
const idPattern = /^spl_[0-9a-z]{9}[0-9a-f]{8}$/

/**
 * Uploads that wait for their server: one file each, whole or not at all, in the order in which they came. `warn` hears
 * of what cannot be read, which is set aside.
 */
export class Spool {
  readonly folder: string
  readonly #env: Env
  readonly #warn: (text: string) => void
  readonly #limits: Limits

  constructor(env: Env, warn: (text: string) => void, bounds = limits) {
    this.folder = join(dataFolder(env), 'spool')
    this.#env = env
    this.#warn = warn
    this.#limits = bounds
  }

  /** Survives a power cut when it has returned. Throws `store_unusable` when the spool is full or cannot be written. */
  put(upload: NewEntry, now: number): SpoolEntry {
    const { server, cluster, environment, idempotencyKey, body, report } = upload
    const waiting = this.list()
    const known = waiting.find((entry) => isSame(entry, upload))
    if (known) return known
    const { key, id: keyId } = currentSpoolKey(this.#env)
    const head = { server, cluster, environment, created: now, idempotencyKey }
    const id = idAfter(waiting.at(-1)?.id)
    const sealed = seal(key, identityOf(id, server), packContent({ body, report }))
    const file = encodeEntry({ ...head, keyId }, sealed)
    this.#requireRoom(file.length)
    try {
      writePrivateFile(this.#fileOf(id), file)
    } catch (cause) {
      throw unusable(`The spool in ${this.folder} cannot be written: ${(cause as Error).message}.`, { cause })
    }
    return { ...head, id, bytes: file.length, attempts: readAttempts(this.#attemptsOf(id)) }
  }

  /** Oldest first. */
  list(): SpoolEntry[] {
    return this.#ids(ending).flatMap((id) => this.#look(id) ?? [])
  }

  /** Ids of what could not be read and was set aside. */
  listBroken(): string[] {
    return this.#ids(brokenEnding)
  }

  /** The content to send; undefined if it is gone or broken. Throws `key_unavailable`, and the upload stays. */
  read(id: string): SpoolContent | undefined {
    return this.#reading(id, () => {
      const { head, content } = decodeContent(readFileSync(this.#fileOf(id)))
      return unpackContent(unseal(findSpoolKey(this.#env, head.keyId), identityOf(id, head.server), content))
    })
  }

  /** One more attempt has failed. */
  failed({ id, attempts }: SpoolEntry, { error, refused }: { error: string; refused: boolean }): void {
    writeAttempts(this.#attemptsOf(id), { count: attempts.count + 1, lastError: error.slice(0, 500), refused })
  }

  remove(id: string): void {
    rmSync(this.#fileOf(id), { force: true })
    rmSync(this.#attemptsOf(id), { force: true })
    rmSync(join(this.folder, `${id}${brokenEnding}`), { force: true })
  }

  /** Alone with the spool: for sending and removing. Throws `busy` when another process is. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const done = await withLock(join(this.folder, 'lock'), work)
    if (done) return done.result
    throw new ReltError('busy', 'Another process is sending the spool.', {
      hint: 'Try again later. The lock of a killed process expires after 30 s.',
    })
  }

  #look(id: string): SpoolEntry | undefined {
    return this.#reading(id, () => {
      const file = this.#fileOf(id)
      const { keyId: _key, contentHash: _hash, ...head } = decodeHead(readStart(file)).head
      return { ...head, id, bytes: statSync(file).size, attempts: readAttempts(this.#attemptsOf(id)) }
    })
  }

  #reading<T>(id: string, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (error instanceof ReltError && error.code === 'key_unavailable') throw error
      if (code === 'EACCES' || code === 'EIO') throw unusable(`${this.#fileOf(id)} cannot be read: ${message}.`)
      const aside = join(this.folder, `${id}${brokenEnding}`)
      if (!moveIfThere(this.#fileOf(id), aside)) return undefined
      this.#warn(`The upload ${id} is broken: ${message}. It was moved to ${aside}.`)
      return undefined
    }
  }

  #ids(ending: string): string[] {
    return this.#names()
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter((id) => idPattern.test(id))
      .sort()
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw unusable(`The spool in ${this.folder} cannot be read: ${(cause as Error).message}.`, { cause })
    }
  }

  /** Processes that come at the same moment may go beyond the bounds by one upload each. */
  #requireRoom(more: number): void {
    const { count, bytes } = this.#limits
    const files = this.#names().flatMap((name) => {
      const file = join(this.folder, name)
      const stats = statSync(file, { throwIfNoEntry: false })
      if (!stats) return []
      const isLeft = leftOver.test(name) && Date.now() - stats.mtimeMs > draftMs
      if (isLeft) rmSync(file, { force: true })
      return isLeft ? [] : [stats.size]
    })
    const used = files.reduce((sum, size) => sum + size, 0)
    if (this.#ids(ending).length < count && used + more <= bytes) return
    const room = `${count} uploads or ${Math.floor(bytes / 1024 / 1024)} MB`
    throw unusable(`The spool in ${this.folder} is full: the limit is ${room}.`, {
      hint: 'Run `relt spool list`, then `relt spool send` or `relt spool drop ID`.',
    })
  }

  #fileOf(id: string): string {
    return join(this.folder, `${id}${ending}`)
  }

  #attemptsOf(id: string): string {
    return join(this.folder, `${id}.attempts`)
  }
}

/** Ids are in the order of time, also when the clock was set back. */
function idAfter(last: string | undefined): string {
  const after = last === undefined ? 0 : Number.parseInt(last.slice(4, 13), 36) + 1
  return `spl_${Math.max(Date.now(), after).toString(36).padStart(9, '0')}${randomBytes(4).toString('hex')}`
}

/** The same report for the same place: sending it twice would store it once. */
function isSame(entry: SpoolEntry, upload: NewEntry): boolean {
  return (
    !entry.attempts.refused &&
    entry.idempotencyKey === upload.idempotencyKey &&
    entry.server.url === upload.server.url &&
    entry.server.user === upload.server.user &&
    entry.server.team === upload.server.team &&
    entry.cluster === upload.cluster &&
    entry.environment === upload.environment
  )
}

/** An upload that was moved to another name, or got another server or team, does not open. */
const identityOf = (id: string, { url, user, team }: SpoolServer): string =>
  `spool ${id} ${user ?? ''}@${url}${team === undefined ? '' : ` ${team}`}`

/** Another process may have been faster. */
function moveIfThere(file: string, to: string): boolean {
  try {
    renameSync(file, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function readStart(file: string): Buffer {
  const handle = openSync(file, 'r')
  try {
    const start = Buffer.alloc(maxHeadBytes)
    return start.subarray(0, readSync(handle, start, 0, maxHeadBytes, 0))
  } finally {
    closeSync(handle)
  }
}

function unusable(message: string, details: { hint?: string; cause?: unknown } = {}): ReltError {
  return new ReltError('store_unusable', message, details)
}
