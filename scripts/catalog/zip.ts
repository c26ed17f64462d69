import { crc32, inflateRawSync } from 'node:zlib'

const mostFiles = 65_534
/** Bytes of one file, and of all. The exports of OSV have a tenth. */
const [largest, largestSum] = [16 * 1024 * 1024, 512 * 1024 * 1024]
const signatures = { end: 0x06054b50, entry: 0x02014b50, file: 0x04034b50 }
const isStored = 0
const isDeflated = 8

/**
 * The contents of the files in a zip archive, without their names, which could be any path. Throws if the archive is damaged or
 * larger than the limits, or if its files overlap.
 */
export function* readZip(zip: Buffer): Generator<Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error('It is not a zip archive.')
  const count = zip.readUInt16LE(end + 10)
  const directory = zip.readUInt32LE(end + 16)
  if (count > mostFiles || directory + zip.readUInt32LE(end + 12) > end) throw new Error('It has too many files.')
  let at = directory
  let from = 0
  let sum = 0
  for (let file = 0; file < count; file++) {
    const entry = readEntry(zip, at)
    sum += entry.size
    if (entry.size > largest || sum > largestSum) throw new Error('Its files are too large.')
    const begin = findContent(zip, entry.place)
    if (entry.place < from || begin + entry.packed > directory) throw new Error('Its files overlap.')
    from = begin + entry.packed
    at = entry.next
    if (entry.size > 0) yield unpack(zip.subarray(begin, from), entry)
  }
}

type Entry = ReturnType<typeof readEntry>

function readEntry(zip: Buffer, at: number) {
  expectSignature(zip, at, signatures.entry)
  const [isEncrypted, method] = [zip.readUInt16LE(at + 8) & 1, zip.readUInt16LE(at + 10)]
  if (isEncrypted || (method !== isStored && method !== isDeflated)) throw new Error('A file is packed in another way.')
  const extra = [28, 30, 32].map((place) => zip.readUInt16LE(at + place))
  return {
    method,
    checksum: zip.readUInt32LE(at + 16),
    packed: zip.readUInt32LE(at + 20),
    size: zip.readUInt32LE(at + 24),
    place: zip.readUInt32LE(at + 42),
    next: at + 46 + extra.reduce((all, length) => all + length, 0),
  }
}

function findContent(zip: Buffer, at: number) {
  expectSignature(zip, at, signatures.file)
  return at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
}

function expectSignature(zip: Buffer, at: number, signature: number) {
  if (zip.readUInt32LE(at) !== signature) throw new Error('It is damaged.')
}

/** Inflating stops at the stated size. */
function unpack(packed: Buffer, { method, size, checksum }: Entry) {
  const content = method === isStored ? packed : inflateRawSync(packed, { maxOutputLength: size })
  if (content.length !== size || crc32(content) !== checksum) throw new Error('It is damaged.')
  return content
}
