import type { Batch } from './end.ts'

/** Approximate size of a batch in bytes; a single row may be larger. */
const batchBytes = 128 * 1024

/** Signature, flags and the length of an empty extension: https://www.postgresql.org/docs/current/sql-copy.html */
export const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
export const copyTrailer = Buffer.from([0xff, 0xff])

const nullLength = -1

/** Encodes rows as tuples. */
export class TupleWriter {
  #bytes = Buffer.allocUnsafe(batchBytes)
  #length = 0
  #rows = 0

  get isFull(): boolean {
    return this.#length >= batchBytes
  }

  beginRow(fields: number): void {
    this.#rows++
    this.#length = this.#room(2).writeInt16BE(fields, this.#length)
  }

  addNull(): void {
    this.#length = this.#room(4).writeInt32BE(nullLength, this.#length)
  }

  addInteger(value: bigint): void {
    this.#room(12)
    this.#length = this.#bytes.writeInt32BE(8, this.#length)
    this.#length = this.#bytes.writeBigInt64BE(value, this.#length)
  }

  /** Removes the sign of zero, which SQLite does not store. */
  addReal(value: number): void {
    this.#room(12)
    this.#length = this.#bytes.writeInt32BE(8, this.#length)
    this.#length = this.#bytes.writeDoubleBE(value + 0, this.#length)
  }

  addBytes(value: Uint8Array): void {
    this.#room(4 + value.length)
    this.#length = this.#bytes.writeInt32BE(value.length, this.#length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** Returns the rows so far. Later rows use another buffer. */
  take(): Batch {
    const batch = { rows: this.#rows, tuples: this.#bytes.subarray(0, this.#length) }
    this.#bytes = Buffer.allocUnsafe(batchBytes)
    this.#length = 0
    this.#rows = 0
    return batch
  }

  #room(bytes: number): Buffer {
    if (this.#length + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + bytes))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    return this.#bytes
  }
}

/** The fields of each row in a batch; null for NULL. Fields are views of the batch's bytes. */
export function* toFields({ tuples }: Batch): Generator<(Buffer | null)[]> {
  for (let at = 0; at < tuples.length; ) {
    const fields: (Buffer | null)[] = new Array(tuples.readInt16BE(at))
    at += 2
    for (let index = 0; index < fields.length; index++) {
      const length = tuples.readInt32BE(at)
      at += 4
      fields[index] = length === nullLength ? null : tuples.subarray(at, at + length)
      if (length > 0) at += length
    }
    yield fields
  }
}

/** Converts chunks of a binary COPY, split anywhere, to batches of whole rows, without header and trailer. */
export async function* toBatches(pieces: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  let waiting: Buffer[] = []
  let length = 0
  let needed = copyHeader.length
  let isStarted = false
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    // Joins a large field once, not with each chunk.
    if (length < needed) continue
    let bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
    if (!isStarted) {
      if (!bytes.subarray(0, copyHeader.length).equals(copyHeader)) throw new TypeError('Not a binary COPY.')
      bytes = bytes.subarray(copyHeader.length)
      isStarted = true
    }
    const { rows, end, needed: more } = wholeRows(bytes)
    if (rows > 0) yield { rows, tuples: bytes.subarray(0, end) }
    waiting = [bytes.subarray(end)]
    length = bytes.length - end
    needed = more
  }
  if (!Buffer.concat(waiting).equals(copyTrailer)) throw new TypeError('A binary COPY ended too early.')
}

/** The number of complete rows, where they end, and how many bytes after that are needed next. */
function wholeRows(bytes: Buffer): { rows: number; end: number; needed: number } {
  let rows = 0
  let end = 0
  for (;;) {
    if (bytes.length - end < 2) return { rows, end, needed: 2 }
    const fields = bytes.readInt16BE(end)
    // The trailer comes last.
    if (fields < 0) return { rows, end, needed: 3 }
    let at = end + 2
    for (let field = 0; field < fields; field++) {
      if (bytes.length < at + 4) return { rows, end, needed: at + 4 - end }
      at += 4 + Math.max(bytes.readInt32BE(at), 0)
    }
    if (bytes.length < at) return { rows, end, needed: at - end }
    rows++
    end = at
  }
}
