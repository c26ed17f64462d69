import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipFile {
  name: string
  content: string | Buffer
  /** 8, deflated, unless given. The other members are lies about the file. */
  method?: number
  flags?: number
  checksum?: number
  packed?: number
  size?: number
  place?: number
}

/** A zip archive of the files. */
export function makeZip(files: ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, method = 8, flags = 0, ...lies } of files) {
    const plain = Buffer.from(content)
    const packed = method === 8 ? deflateRawSync(plain) : plain
    const told = { checksum: crc32(plain), packed: packed.length, size: plain.length, place: at, ...lies }
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(told.checksum, 16)
    entry.writeUInt32LE(told.packed, 20)
    entry.writeUInt32LE(told.size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(told.place, 42)
    parts.push(header, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listed, end])
}
