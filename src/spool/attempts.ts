import { writePrivateFile } from '../config/private-file.ts'
import { isObject } from '../util/json.ts'
import { readOwnFile } from '../util/own-file.ts'

/** Attempts to send an upload. */
export interface Attempts {
  count: number
  /** Null before the first attempt. */
  lastError: string | null
  /** The server rejected it. It is sent again only on explicit request. */
  refused: boolean
}

const none: Attempts = { count: 0, lastError: null, refused: false }

/** Stored beside the upload, whose file is never rewritten. An unreadable file counts as no attempts. */
export function readAttempts(file: string): Attempts {
  try {
    const value: unknown = JSON.parse(readOwnFile(file).toString('utf8'))
    if (!isObject(value)) return none
    const { count, lastError, refused } = value
    if (!Number.isSafeInteger(count) || typeof lastError !== 'string') return none
    return { count: count as number, lastError, refused: refused === true }
  } catch {
    return none
  }
}

export function writeAttempts(file: string, attempts: Attempts) {
  writePrivateFile(file, JSON.stringify(attempts))
}
