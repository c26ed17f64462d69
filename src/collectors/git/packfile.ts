import { hash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

/** Limit of all unpacked data. */
const mostBytes = 64 * 1024 * 1024

/**
 * Commits and annotated tags by id, which is the hash of their content, so that no server can make up others. Throws for a
 * broken packfile, or one with more than `most` objects. https://git-scm.com/docs/pack-format
 */
export function readPackfile(pack: Buffer, most: number): Map<string, Buffer> {
  const objects = new Map<string, Buffer>()
  const count = pack.readUInt32BE(8)
  if (pack.toString('latin1', 0, 4) !== 'PACK' || count > most) throw new Error('not a packfile as requested')
  const reader = new ByteReader(pack, 12)
  let left = mostBytes
  for (let index = 0; index < count; index++) {
    const first = reader.next()
    // The length, which the packed data shows too.
    if (first > 127) reader.number()
    const base = (first & 112) === deltaBits ? objects.get(reader.take(20).toString('hex')) : undefined
    const packed = inflateSync(pack.subarray(reader.at), { info: true, maxOutputLength: left })
    const { buffer, engine } = packed as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    reader.at += engine.bytesWritten
    const data = base ? applyDelta(base, buffer, left) : buffer
    left -= buffer.length + data.length
    const type = data.toString('latin1', 0, 5) === 'tree ' ? 'commit' : 'tag'
    objects.set(hash('sha1', Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])), data)
  }
  return objects
}

/** Type of an object that names its base, an earlier one. */
const deltaBits = 7 << 4

/** Joins parts of the base and new ones. Wrong parts show in the id of the result. */
function applyDelta(base: Buffer, delta: Buffer, most: number) {
  const reader = new ByteReader(delta, 0)
  reader.number()
  const length = reader.number()
  if (length > most) throw new Error('more than may be unpacked')
  const result = Buffer.alloc(length)
  let end = 0
  while (reader.at < delta.length) {
    const order = reader.next()
    if (order < 128) {
      end += reader.take(order).copy(result, end)
    } else {
      const offset = reader.bytes(order, 4)
      end += base.copy(result, end, offset, offset + (reader.bytes(order >> 4, 3) || 0x10000))
    }
  }
  return result
}

/** Throws at the end. */
class ByteReader {
  readonly #data: Buffer
  at: number

  constructor(data: Buffer, at: number) {
    this.#data = data
    this.at = at
  }

  next() {
    return this.#data.readUInt8(this.at++)
  }

  take(length: number) {
    this.at += length
    return this.#data.subarray(this.at - length, this.at)
  }

  /** Seven bits a byte, the lowest first. */
  number() {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.next()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  /** The lowest first; only those with a bit in `present` are there. */
  bytes(present: number, count: number) {
    let value = 0
    for (let index = 0; index < count; index++) if (present & (1 << index)) value += this.next() * 256 ** index
    return value
  }
}
