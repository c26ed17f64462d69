import { hash } from 'node:crypto'
import { kinds, ofKind, segmentNamed, setEnd, toCommands, withCommands } from './mach-o.ts'

const pageSize = 4096
const hashSize = 32
const directoryAt = 20
const directorySize = 88
const magic = { signature: 0xfade0cc0, directory: 0xfade0c02 } as const
/** Signed by nobody. */
const adHoc = 0x2

/**
 * A Mach-O file with the signature that Apple silicon demands of all code, the hash of each page: it shows no origin.
 * Throws for a file that is signed. Format: https://github.com/apple-oss-distributions/xnu, osfmk/kern/cs_blobs.h
 */
export function signMachO(file: Buffer, name: string, flags = adHoc): Buffer {
  const commands = toCommands(file)
  if (commands.some(ofKind('signature'))) throw new Error('the Mach-O file is signed already')
  const link = segmentNamed(file, '__LINKEDIT')
  if (Number(link.readBigUInt64LE(40) + link.readBigUInt64LE(48)) !== file.length) {
    throw new Error('the Mach-O file does not end with __LINKEDIT')
  }
  const start = Math.ceil(file.length / 16) * 16
  const pages = Math.ceil(start / pageSize)
  const hashesAt = directorySize + name.length + 1
  const size = Math.ceil((directoryAt + hashesAt + pages * hashSize) / 8) * 8
  const command = Buffer.alloc(16)
  for (const [index, value] of [kinds.signature, 16, start, size].entries()) command.writeUInt32LE(value, index * 4)
  const code = Buffer.concat([withCommands(file, [...commands, command])], start)
  setEnd(code, start + size)
  const hashes = Array.from({ length: pages }, (_, page) =>
    hash('sha256', code.subarray(page * pageSize, (page + 1) * pageSize), 'buffer'),
  )
  const directory = Buffer.concat([toDirectory(code, pages, flags), Buffer.from(`${name}\0`), ...hashes])
  directory.writeUInt32BE(directory.length, 4)
  directory.writeUInt32BE(hashesAt, 16)
  return Buffer.concat([code, index(directory.length), directory], start + size)
}

/** A signature of one part. */
function index(length: number): Buffer {
  const output = Buffer.alloc(directoryAt)
  for (const [at, value] of [magic.signature, directoryAt + length, 1, 0, directoryAt].entries()) {
    output.writeUInt32BE(value, at * 4)
  }
  return output
}

function toDirectory(code: Buffer, pages: number, flags: number): Buffer {
  const text = segmentNamed(code, '__TEXT')
  const output = Buffer.alloc(directorySize)
  const version = 0x20400
  output.writeUInt32BE(magic.directory, 0)
  output.writeUInt32BE(version, 8)
  output.writeUInt32BE(flags, 12)
  output.writeUInt32BE(directorySize, 20)
  output.writeUInt32BE(pages, 28)
  output.writeUInt32BE(code.length, 32)
  // Size and kind (SHA-256) of a hash, and the power of two that a page is.
  for (const [at, value] of [hashSize, 2, 0, Math.log2(pageSize)].entries()) output.writeUInt8(value, 36 + at)
  output.writeBigUInt64BE(text.readBigUInt64LE(40), 64)
  output.writeBigUInt64BE(text.readBigUInt64LE(48), 72)
  const isMain = 1n
  output.writeBigUInt64BE(isMain, 80)
  return output
}
