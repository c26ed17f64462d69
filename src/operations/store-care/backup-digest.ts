import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

/** A multiple of every page size, so that the manifest, which fits in a page, is never split. */
const chunkBytes = 4 * 2 ** 20
const hexLength = 64
const threads = 2

export const noDigest = '0'.repeat(hexLength)

/** Start of the manifest. The random id locates the digest in the file. */
const toHead = (id: string) => `{"id":"${id}","sha256":"`
/** Text between the digest and the MAC. */
const macHead = '","mac":"'

interface HashJob {
  file: string
  head: string
  macHead: string
  noDigest: string
  chunkBytes: number
}

interface ChunkHash {
  /** Index of the chunk. */
  index: number
  sha256: string
  /** Offset of the digest's digits, if they are in this chunk. */
  at: number | undefined
}

export interface Digest {
  sha256: string
  /** Offset of the digest's digits in the file. */
  at: number
}

/**
 * SHA-256 over the SHA-256s of a backup's 4 MB chunks, with the 64 digits of digest and MAC in the manifest read as zeros.
 * Chunks let other threads hash the first ones while the last ones are written.
 */
export class BackupDigest {
  readonly #job: HashJob
  readonly #threads: HashThread[] = []
  readonly #hashes = new Map<number, ChunkHash>()
  /** Number of chunks hashed while the file was written. */
  #early = 0

  constructor(file: string, id: string) {
    this.#job = { file, head: toHead(id), macHead, noDigest, chunkBytes }
  }

  /** Reports how many bytes are written. Pass later changes to `finish`. */
  advance(bytes: number): void {
    for (; (this.#early + 1) * chunkBytes <= bytes; this.#early++) this.#hash(this.#early)
  }

  /**
   * The digest of the finished file, given the offsets that changed since `advance` passed them. Undefined if the file does
   * not contain the manifest.
   */
  async finish(changed: Iterable<number> = []): Promise<Digest | undefined> {
    const { size } = statSync(this.#job.file)
    const count = Math.ceil(size / chunkBytes)
    const whole = Math.min(this.#early, Math.floor(size / chunkBytes))
    const again = new Set(Array.from(changed, (offset) => Math.floor(offset / chunkBytes)))
    for (const index of again) if (index < whole) this.#hash(index)
    for (let index = whole; index < count; index++) this.#hash(index)
    await Promise.all(this.#threads.map((thread) => thread.finish()))
    const all = createHash('sha256')
    let at: number | undefined
    for (let index = 0; index < count; index++) {
      const chunk = this.#hashes.get(index)!
      all.update(chunk.sha256, 'hex')
      at ??= chunk.at
    }
    return at === undefined ? undefined : { sha256: all.digest('hex'), at }
  }

  /** Terminates the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** One thread hashes all versions of a chunk in order, so the last one counts. */
  #hash(index: number): void {
    const number = index % threads
    this.#threads[number] ??= new HashThread(this.#job, (hash) => this.#hashes.set(hash.index, hash))
    this.#threads[number].hash(index)
  }
}

class HashThread {
  readonly #worker: Worker
  readonly #finished: Promise<void>

  constructor(workerData: HashJob, onHash: (hash: ChunkHash) => void) {
    this.#worker = new Worker(`(${hashChunks})(require)`, { eval: true, workerData })
    this.#worker.on('message', onHash)
    this.#finished = new Promise((resolve, reject) => {
      this.#worker.once('error', reject)
      this.#worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('A thread ended early.'))))
    })
    // `finish`, which may never be called, reports a failure.
    this.#finished.catch(() => {})
  }

  hash(index: number): void {
    this.#worker.postMessage(index)
  }

  finish(): Promise<void> {
    this.#worker.postMessage('end')
    return this.#finished
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

/**
 * Passed to a thread as source text, because the executable has no file to start one from. Must not contain named functions,
 * for which builds would call a helper outside of it.
 */
function hashChunks(require: NodeJS.Require): void {
  const { createHash } = require('node:crypto') as typeof import('node:crypto')
  const { openSync, readSync } = require('node:fs') as typeof import('node:fs')
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads')
  const { file, head, macHead, noDigest, chunkBytes } = workerData as HashJob
  const source = openSync(file, 'r')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  parentPort!.on('message', (index: number | 'end') => {
    if (index === 'end') return parentPort!.close()
    let length = 0
    for (let read = -1; read !== 0 && length < chunkBytes; length += read) {
      read = readSync(source, chunk, length, chunkBytes - length, index * chunkBytes + length)
    }
    const bytes = chunk.subarray(0, length)
    const found = bytes.indexOf(head)
    const at = found < 0 ? undefined : index * chunkBytes + found + head.length
    if (found >= 0) {
      const end = found + head.length + noDigest.length
      bytes.write(noDigest, found + head.length, 'latin1')
      if (bytes.toString('latin1', end, end + macHead.length) === macHead) {
        bytes.write(noDigest, end + macHead.length, 'latin1')
      }
    }
    const hash: ChunkHash = { index, sha256: createHash('sha256').update(bytes).digest('hex'), at }
    parentPort!.postMessage(hash)
  })
}

/** The digest of a whole backup. Undefined if the file does not contain the manifest with this id. */
export async function toDigest(file: string, id: string): Promise<Digest | undefined> {
  const digest = new BackupDigest(file, id)
  try {
    return await digest.finish()
  } finally {
    await digest.close()
  }
}

export async function writeDigest(file: string, { sha256, at }: Digest, mac: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.write(sha256 + macHead + mac, at, 'latin1')
  } finally {
    await handle.close()
  }
}
