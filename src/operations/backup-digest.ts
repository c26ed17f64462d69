import { createHash, webcrypto } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** A multiple of every page size: a manifest, which fits a page, is never cut. */
const chunkBytes = 4 * 2 ** 20
const hexLength = 64
/** Reading and hashing happen in Node's four threads. */
const readers = 4

export const noDigest = '0'.repeat(hexLength)

/** The manifest begins so: the digest is found in the file by the random id before it. */
const headOf = (id: string) => Buffer.from(`{"id":"${id}","sha256":"`)

/**
 * SHA-256 of the SHA-256s of a backup's chunks of 4 MB, the digest's own 64 digits in the manifest read as zeros. In
 * chunks, so that all cores hash. Undefined when the manifest with this id is not in the file. `at` is the offset of the
 * digits.
 */
export async function digestOf(file: string, id: string): Promise<{ sha256: string; at: number } | undefined> {
  const head = headOf(id)
  const hashes: Buffer[] = []
  let at: number | undefined
  let next = 0
  const handle = await open(file, 'r')
  const readChunks = async () => {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const index = next++
      const start = index * chunkBytes
      const bytes = chunk.subarray(0, await fill(handle, chunk, start))
      if (bytes.length === 0) return
      const found = bytes.indexOf(head)
      if (found >= 0) {
        at = start + found + head.length
        bytes.write(noDigest, found + head.length, 'latin1')
      }
      hashes[index] = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes))
    }
  }
  try {
    await Promise.all(Array.from({ length: readers }, readChunks))
  } finally {
    await handle.close()
  }
  return at === undefined ? undefined : { sha256: createHash('sha256').update(Buffer.concat(hashes)).digest('hex'), at }
}

export async function writeDigest(file: string, { sha256, at }: { sha256: string; at: number }): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.write(sha256, at, 'latin1')
  } finally {
    await handle.close()
  }
}

/** A read may return less than there is. */
async function fill(handle: FileHandle, chunk: Buffer, start: number): Promise<number> {
  let length = 0
  while (length < chunk.length) {
    const { bytesRead } = await handle.read(chunk, length, chunk.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return length
}
