import { closeSync, existsSync, openSync, readSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24

/** Offsets in the database of the pages that a WAL has, also of those after its last whole transaction. */
export function offsetsInWal(file: string): Set<number> {
  if (!existsSync(file)) return new Set()
  const wal = openSync(file, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    const offsets = new Set<number>()
    if (readSync(wal, header, 0, headerBytes, 0) < headerBytes) return offsets
    const pageBytes = header.readUInt32BE(8)
    const frame = Buffer.alloc(frameHeaderBytes)
    for (let at = headerBytes; readSync(wal, frame, 0, frameHeaderBytes, at) === frameHeaderBytes; ) {
      offsets.add((frame.readUInt32BE(0) - 1) * pageBytes)
      at += frameHeaderBytes + pageBytes
    }
    return offsets
  } finally {
    closeSync(wal)
  }
}
