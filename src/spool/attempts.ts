import { readFileSync } from 'node:fs'
import { writePrivateFile } from '../config/private-file.ts'
import { isObject } from '../util/json.ts'

/** What became of sending an upload so far. */
export interface Attempts {
  count: number
  /** Null before the first. */
  lastError: string | null
  /** The server does not want it as it is: only who asks for it has it sent again. */
  refused: boolean
}

const none: Attempts = { count: 0, lastError: null, refused: false }

/** Kept beside the upload, whose own file is never written twice. What cannot be read counts as never tried. */
export function readAttempts(file: string): Attempts {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isObject(value)) return none
    const { count, lastError, refused } = value
    if (!Number.isSafeInteger(count) || typeof lastError !== 'string') return none
    return { count: count as number, lastError, refused: refused === true }
  } catch {
    return none
  }
}

export function writeAttempts(file: string, attempts: Attempts): void {
  writePrivateFile(file, JSON.stringify(attempts))
}
