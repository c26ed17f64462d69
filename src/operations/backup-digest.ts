import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

/** A multiple of every page size: a manifest, which fits a page, is never cut. */
const chunkBytes = 4 * 2 ** 20
const hexLength = 64
const threads = 2

export const noDigest = '0'.repeat(hexLength)

/** The manifest begins so: the digest is found in the file by the random id before it. */
const headOf = (id: string) => `{"id":"${id}","sha256":"`

interface HashJob {
  file: string
  head: string
  noDigest: string
  chunkBytes: number
  /** Index of the first chunk, and the distance to the next. */
  first: number
  step: number
}

interface ChunkHashes {
  /** SHA-256 of each chunk, hex, by its index. */
  hashes: [index: number, sha256: string][]
  /** Offset of the digest's digits, if they are in one of the chunks. */
  at: number | undefined
}

/**
 * SHA-256 of the SHA-256s of a backup's chunks of 4 MB, the digest's own 64 digits in the manifest read as zeros. In
 * chunks, so that two cores hash. Undefined when the manifest with this id is not in the file. `at` is the offset of the
 * digits.
 */
export async function digestOf(file: string, id: string): Promise<{ sha256: string; at: number } | undefined> {
  const job = { file, head: headOf(id), noDigest, chunkBytes, step: threads }
  const parts = await Promise.all(Array.from({ length: threads }, (_, first) => hashInThread({ ...job, first })))
  const at = parts.find((part) => part.at !== undefined)?.at
  const hashes = parts.flatMap((part) => part.hashes).sort(([a], [b]) => a - b)
  const all = createHash('sha256')
  for (const [, sha256] of hashes) all.update(sha256, 'hex')
  return at === undefined ? undefined : { sha256: all.digest('hex'), at }
}

function hashInThread(workerData: HashJob): Promise<ChunkHashes> {
  const worker = new Worker(`(${hashChunks})(require)`, { eval: true, workerData })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('A thread ended early.')))
  })
}

/** Runs as the text of a thread: the executable has no file to start one from. */
function hashChunks(require: NodeJS.Require): void {
  const { createHash } = require('node:crypto') as typeof import('node:crypto')
  const { openSync, readSync } = require('node:fs') as typeof import('node:fs')
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads')
  const { file, head, noDigest, chunkBytes, first, step } = workerData as HashJob
  const result: ChunkHashes = { hashes: [], at: undefined }
  const source = openSync(file, 'r')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let index = first; ; index += step) {
    let length = 0
    for (let read = -1; read !== 0 && length < chunkBytes; length += read) {
      read = readSync(source, chunk, length, chunkBytes - length, index * chunkBytes + length)
    }
    if (length === 0) break
    const bytes = chunk.subarray(0, length)
    const found = bytes.indexOf(head)
    if (found >= 0) {
      result.at = index * chunkBytes + found + head.length
      bytes.write(noDigest, found + head.length, 'latin1')
    }
    result.hashes.push([index, createHash('sha256').update(bytes).digest('hex')])
  }
  parentPort!.postMessage(result)
}

export async function writeDigest(file: string, { sha256, at }: { sha256: string; at: number }): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.write(sha256, at, 'latin1')
  } finally {
    await handle.close()
  }
}
