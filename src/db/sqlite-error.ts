import { ReltError } from '../errors.ts'

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
const codes = { busy: 5, locked: 6, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 }

function codeFor(error: unknown) {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  // The low byte of an extended code is the primary one.
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** Another connection holds the lock. */
export function isBusy(error: unknown) {
  const code = codeFor(error)
  return code === codes.busy || code === codes.locked
}

/** The file cannot be opened for writing. */
export function isUnwritable(error: unknown) {
  const code = codeFor(error)
  return code === codes.readOnly || code === codes.cannotOpen
}

const again = 'Try again.'
/** Message: another process held the lock for longer than a write waits. */
export const lockedMessage = 'The store is busy: another process is writing to it.'
const messages: Record<
  number,
  [code: 'busy' | 'store_full' | 'store_read_only' | 'store_unusable', message: string, hint: string]
> = {
  [codes.busy]: ['busy', lockedMessage, again],
  [codes.locked]: ['busy', lockedMessage, again],
  [codes.full]: ['store_full', 'The disk of the store is full.', 'Free some space, then try again.'],
  [codes.readOnly]: ['store_read_only', 'The store is read-only.', 'Check the permissions of its file and folder.'],
  [codes.ioError]: ['store_unusable', 'The disk of the store reported an error.', 'Check the disk and its free space.'],
  [codes.corrupt]: ['store_unusable', 'The store is damaged.', 'Restore a backup, or run `relt doctor`.'],
  [codes.notADatabase]: ['store_unusable', 'The store is damaged.', 'Restore a backup, or run `relt doctor`.'],
}

/** Maps errors of locks, the disk and the file to `ReltError`; returns others, such as a violated constraint, unchanged. */
export function toStoreError(error: unknown) {
  const [code, message, hint] = messages[codeFor(error) ?? 0] ?? []
  return code === undefined ? error : new ReltError(code, message!, { hint: hint!, cause: error })
}
