import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** zstd. Output comes in pieces of `chunkSize`: with large ones there is little to put together. */
const options = { chunkSize: 1 << 20 }
const quickOptions = { ...options, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export function pack(bytes: Uint8Array | string): Buffer {
  return zstdCompressSync(bytes, options)
}

export function packQuickly(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, quickOptions)
}

/** In another thread. That one waits for this one to take each piece, so all of a report, at an eighth of its size, is one. */
export function packAside(bytes: Uint8Array): Promise<Buffer> {
  return promisify(zstdCompress)(bytes, { chunkSize: Math.max(options.chunkSize, bytes.length >> 3) })
}

export function unpack(bytes: Uint8Array): Buffer {
  return zstdDecompressSync(bytes, options)
}
