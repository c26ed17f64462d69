import { closeSync, existsSync, openSync, readSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24
const saltBytes = 8

/** Offsets in the database of the pages in a WAL, including those after its last complete transaction. */
export function offsetsInWal(file: string): Set<number> {
  return new Set(Array.from(readFrames(file, 0), ({ page, pageBytes }) => (page - 1) * pageBytes))
}

/**
 * The first bytes of the database from its WAL, after the last complete transaction. Undefined if the WAL does not contain
 * them.
 */
export function firstBytesInWal(file: string, length: number): Buffer | undefined {
  let open: Buffer | undefined
  let committed: Buffer | undefined
  for (const { page, isOfWal, isCommit, bytes } of readFrames(file, length)) {
    // Later frames were written before the WAL was restarted.
    if (!isOfWal) break
    if (page === 1) open = bytes
    if (isCommit) committed = open
  }
  return committed
}

interface Frame {
  pageBytes: number
  /** Page number, from 1. */
  page: number
  /** False for a frame from before the WAL was restarted. */
  isOfWal: boolean
  /** The last frame of a transaction. */
  isCommit: boolean
  /** The first bytes of the page. */
  bytes: Buffer
}

/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
function* readFrames(file: string, length: number): Generator<Frame> {
  if (!existsSync(file)) return
  const wal = openSync(file, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    if (readSync(wal, header, 0, headerBytes, 0) < headerBytes) return
    const pageBytes = header.readUInt32BE(8)
    const salt = header.subarray(16, 16 + saltBytes)
    const size = frameHeaderBytes + length
    for (let at = headerBytes; ; at += frameHeaderBytes + pageBytes) {
      const frame = Buffer.alloc(size)
      if (readSync(wal, frame, 0, size, at) < size) return
      yield {
        pageBytes,
        page: frame.readUInt32BE(0),
        isOfWal: frame.subarray(8, 8 + saltBytes).equals(salt),
        isCommit: frame.readUInt32BE(4) > 0,
        bytes: frame.subarray(frameHeaderBytes),
      }
    }
  } finally {
    closeSync(wal)
  }
}
