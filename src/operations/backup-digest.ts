import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** A multiple of every page size: a manifest, which fits a page, is never cut. */
const chunkBytes = 4 * 2 ** 20
const hexLength = 64

export const noDigest = '0'.repeat(hexLength)

/** The manifest begins so: the digest is found in the file by the random id before it. */
const headOf = (id: string) => Buffer.from(`{"id":"${id}","sha256":"`)

/**
 * SHA-256 of the file of a backup, its own 64 digits in the manifest read as zeros. Undefined when the manifest with this
 * id is not in the file. `at` is where these digits are.
 */
export function digestOf(file: string, id: string): { sha256: string; at: number } | undefined {
  const hash = createHash('sha256')
  const head = headOf(id)
  const handle = openSync(file, 'r')
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let at: number | undefined
    for (let start = 0; ; ) {
      const length = fill(handle, chunk, start)
      if (length === 0) break
      const bytes = chunk.subarray(0, length)
      const found = at === undefined ? bytes.indexOf(head) : -1
      if (found >= 0) {
        at = start + found + head.length
        bytes.write(noDigest, found + head.length, 'latin1')
      }
      hash.update(bytes)
      start += length
    }
    return at === undefined ? undefined : { sha256: hash.digest('hex'), at }
  } finally {
    closeSync(handle)
  }
}

export function writeDigest(file: string, { sha256, at }: { sha256: string; at: number }): void {
  const handle = openSync(file, 'r+')
  try {
    writeSync(handle, sha256, at, 'latin1')
  } finally {
    closeSync(handle)
  }
}

/** A read may return less than there is. */
function fill(handle: number, chunk: Buffer, start: number): number {
  let length = 0
  while (length < chunk.length) {
    const read = readSync(handle, chunk, length, chunk.length - length, start + length)
    if (read === 0) break
    length += read
  }
  return length
}
