import { ReltError } from '../errors.ts'
import { withoutStop } from './words.ts'

const reasons: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
}

/** `no such file`: the system's message without the path, which may be that of a temporary file. */
export function fileReason(cause: unknown) {
  const { code, message } = cause as NodeJS.ErrnoException
  return reasons[code ?? ''] ?? (code ? code : withoutStop(message))
}

/** A `usage` error. `name` is the file as the user named it. */
export function unreadable(name: string, cause: unknown, hint?: string) {
  return new ReltError('usage', `${name} cannot be read: ${fileReason(cause)}.`, { ...(hint && { hint }), cause })
}

/** A `usage` error. `name` is the file as the user named it; the message says so if its folder is missing. */
export function unwritable(name: string, cause: unknown, hint?: string) {
  const isMissing = ['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')
  const reason = isMissing ? 'no such folder' : fileReason(cause)
  return new ReltError('usage', `${name} cannot be written: ${reason}.`, { ...(hint && { hint }), cause })
}
