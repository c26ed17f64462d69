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

/** In another thread. */
export function packAside(bytes: Uint8Array): Promise<Buffer> {
  return promisify(zstdCompress)(bytes, options)
}

export function unpack(bytes: Uint8Array): Buffer {
  return zstdDecompressSync(bytes, options)
}
