import { writePrivateFile } from '../config/private-file.ts'
import { isObject } from '../util/json.ts'
import { appendOwnFile, readOwnFile } from '../util/own-file.ts'
import type { UnixSeconds } from '../util/time.ts'

/** An upload that was deleted unsent because of a bound. */
export interface DroppedUpload {
  id: string
  at: UnixSeconds
  cluster: string | null
  reason: string
}

/** Beyond this size the older half of the log goes. */
const maxBytes = 256 * 1024

/** Appends a line for the upload. Throws what the system does, so that nothing is deleted without a line. */
export function recordDropped(file: string, dropped: DroppedUpload): void {
  appendOwnFile(file, `${JSON.stringify(dropped)}\n`)
  const text = readOwnFile(file).toString('utf8')
  if (text.length > maxBytes) writePrivateFile(file, text.slice(text.indexOf('\n', text.length / 2) + 1))
}

/** Oldest first. Lines that were cut by a crash are skipped. */
export function readDropped(file: string): DroppedUpload[] {
  let text: string
  try {
    text = readOwnFile(file).toString('utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return isDropped(value) ? [value] : []
    } catch {
      return []
    }
  })
}

function isDropped(value: unknown): value is DroppedUpload {
  if (!isObject(value)) return false
  const { id, at, cluster, reason } = value
  const isCluster = cluster === null || typeof cluster === 'string'
  return typeof id === 'string' && Number.isSafeInteger(at) && isCluster && typeof reason === 'string'
}
