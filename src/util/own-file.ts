import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'

/**
 * Opens a file in relt's folder for reading. An attacker who can write there could replace it with a pipe, whose reading
 * would never end. Throws the system's error, also unless it is a regular file.
 */
export function openOwnFile(file: string) {
  // Without `O_NONBLOCK`, opening a pipe waits for its writer. Windows has no such flag.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (fstatSync(handle).isFile()) return handle
  closeSync(handle)
  throw notFile()
}

/** Throws also if the file is larger than `maxBytes`. */
export function readOwnFile(file: string, maxBytes = Number.POSITIVE_INFINITY) {
  const handle = openOwnFile(file)
  try {
    if (fstatSync(handle).size > maxBytes) throw new Error(`it is larger than ${Math.floor(maxBytes / 1024)} KB`)
    return readFileSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Call it before a library opens the file. A missing file is allowed. Throws for a pipe, socket, device or folder. */
export function refuseOtherThanFile(file: string) {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notFile()
}

const notFile = () => new Error('it is not a file')
