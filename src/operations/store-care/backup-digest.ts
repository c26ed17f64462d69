import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** A multiple of every page size, so that the manifest, which fits in a page, is never split. */
const chunkBytes = 4 * 2 ** 20
const hexLength = 64

export const noDigest = '0'.repeat(hexLength)

/** Text between the digest and the MAC. */
const macHead = '","mac":"'

export interface Digest {
  sha256: string
  /** Offset of the digest's digits in the file. */
  at: number
}

/**
 * SHA-256 of a backup, with the digits of digest and MAC in the manifest read as zeros. The random id locates them.
 * Undefined if the file does not contain the manifest.
 */
export async function toDigest(file: string, id: string): Promise<Digest | undefined> {
  const head = `{"id":"${id}","sha256":"`
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let at: number | undefined
  const handle = await open(file)
  try {
    for (let place = 0; ; ) {
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, place)
      if (bytesRead === 0) break
      const bytes = chunk.subarray(0, bytesRead)
      const found = bytes.indexOf(head)
      if (found >= 0) {
        const digest = found + head.length
        const end = digest + hexLength
        at ??= place + digest
        bytes.write(noDigest, digest, 'latin1')
        if (bytes.toString('latin1', end, end + macHead.length) === macHead) {
          bytes.write(noDigest, end + macHead.length, 'latin1')
        }
      }
      hash.update(bytes)
      place += bytesRead
    }
  } finally {
    await handle.close()
  }
  return at === undefined ? undefined : { sha256: hash.digest('hex'), at }
}

export async function writeDigest(file: string, { sha256, at }: Digest, mac: string) {
  const handle = await open(file, 'r+')
  try {
    await handle.write(sha256 + macHead + mac, at, 'latin1')
  } finally {
    await handle.close()
  }
}
