import { constants, crc32, deflateRawSync } from 'node:zlib'

const blockSize = 2 ** 20
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

/** So many bytes of one letter in gzip. Compressing one block and repeating it takes a tenth of compressing all. */
export function gzipBomb(bytes: number, letter = '\0'): Buffer {
  const block = Buffer.alloc(blockSize, letter)
  // Ends at a whole byte and refers to nothing before it, so that it can follow itself.
  const packed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Math.floor(bytes / blockSize)
  const rest = block.subarray(0, bytes % blockSize)
  let sum = 0
  for (let i = 0; i < blocks; i++) sum = crc32(block, sum)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(rest, sum))
  trailer.writeUInt32LE(bytes % 2 ** 32, 4)
  return Buffer.concat([header, ...Array<Buffer>(blocks).fill(packed), deflateRawSync(rest), trailer])
}
