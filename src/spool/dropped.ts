import { writePrivateFile } from '../config/private-file.ts'
import { isObject } from '../util/json.ts'
import { appendOwnFile, readOwnFile } from '../util/own-file.ts'
import type { UnixSeconds } from '../util/time.ts'

/** An upload that was deleted unsent because of a limit. */
export interface DroppedUpload {
  id: string
  at: UnixSeconds
  cluster: string | null
  reason: string
}

/** Beyond this size, the older half of the log is removed. */
const maxBytes = 256 * 1024

/** Appends a line for the upload. Throws errors of the system, so that nothing is deleted without a log line. */
export function recordDropped(file: string, dropped: DroppedUpload): void {
  appendOwnFile(file, `${JSON.stringify(dropped)}\n`)
  const text = readOwnFile(file).toString('utf8')
  if (text.length > maxBytes) writePrivateFile(file, text.slice(text.indexOf('\n', text.length / 2) + 1))
}

/** Oldest first. Skips lines that were truncated by a crash. */
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
