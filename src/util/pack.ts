import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** zstd. */

export function pack(bytes: Uint8Array | string): Buffer {
  return zstdCompressSync(bytes, { chunkSize: pieceFor(bytes.length) })
}

export function packQuickly(bytes: Uint8Array): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  return zstdCompressSync(bytes, { chunkSize: pieceFor(bytes.length), params })
}

/** In another thread. That one waits for this one to take each piece, so all of a report, at an eighth of its size, is one. */
export async function packAside(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length <= soonPacked) return pack(bytes)
  return promisify(zstdCompress)(bytes, { chunkSize: Math.max(pieceFor(bytes.length), bytes.length >> 3) })
}

export function unpack(bytes: Uint8Array): Buffer {
  return zstdDecompressSync(bytes, { chunkSize: pieceFor(16 * bytes.length) })
}

/** Bytes that are packed before another thread has begun. */
const soonPacked = 32_768

const smallestPiece = 4096
const largestPiece = 1 << 20

/**
 * Output comes in pieces of one size, in bytes. With large ones there is little to put together, but even a short output
 * allocates a whole one.
 */
function pieceFor(expectedLength: number): number {
  return Math.min(largestPiece, Math.max(smallestPiece, expectedLength))
}
