import { appendFileSync, closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'

/**
 * Opens a file in a folder of relt for reading. Whoever can write there could put a pipe in its place, which nobody writes
 * to: opening or reading it would never end. Throws the error of the system, and for anything but a file.
 */
export function openOwnFile(file: string): number {
  // Without `O_NONBLOCK`, opening a pipe waits for its writer. Windows has no such flag.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (fstatSync(handle).isFile()) return handle
  closeSync(handle)
  throw notFile()
}

export function readOwnFile(file: string): Buffer {
  const handle = openOwnFile(file)
  try {
    return readFileSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Adds to a file in a folder of relt, or creates it for its owner only. */
export function appendOwnFile(file: string, text: string): void {
  refuseOtherThanFile(file)
  appendFileSync(file, text, { mode: 0o600 })
}

/** Before a library opens it. A missing file is fine. Throws for a pipe, a socket, a device or a folder. */
export function refuseOtherThanFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notFile()
}

const notFile = () => new Error('it is not a file')
