import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Compression with zstd. */

export function pack(bytes: Uint8Array | string) {
  return zstdCompressSync(bytes, { chunkSize: pieceFor(bytes.length) })
}

export function packQuickly(bytes: Uint8Array) {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  return zstdCompressSync(bytes, { chunkSize: pieceFor(bytes.length), params })
}

/**
 * Compresses in another thread, which waits for this one to take each chunk. So the whole report, compressed to an eighth,
 * is one chunk.
 */
export async function packAside(bytes: Uint8Array) {
  if (bytes.length <= soonPacked) return pack(bytes)
  return promisify(zstdCompress)(bytes, { chunkSize: Math.max(pieceFor(bytes.length), bytes.length >> 3) })
}

export function unpack(bytes: Uint8Array) {
  return zstdDecompressSync(bytes, { chunkSize: pieceFor(16 * bytes.length) })
}

/** Compresses bytes that are mostly those of the dictionary. */
export function packWith(bytes: Buffer, dictionary: Buffer) {
  // Both have to be in the window, and each position in the table.
  const windowLog = Math.min(26, Math.max(10, Math.ceil(Math.log2(bytes.length + dictionary.length + 1))))
  const params = {
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_windowLog]: windowLog,
    [constants.ZSTD_c_hashLog]: windowLog,
  }
  return zstdCompressSync(bytes, { dictionary, params, chunkSize: pieceFor(bytes.length) })
}

export const unpackWith = (bytes: Buffer, dictionary: Buffer) =>
  zstdDecompressSync(bytes, { dictionary, chunkSize: pieceFor(dictionary.length) })

/** Smaller input is compressed before another thread would have started. */
const soonPacked = 32_768

const smallestPiece = 4096
const largestPiece = 1 << 20

/** Output chunk size in bytes. Large chunks are faster to join, but even a short output allocates a whole one. */
function pieceFor(expectedLength: number) {
  return Math.min(largestPiece, Math.max(smallestPiece, expectedLength))
}
