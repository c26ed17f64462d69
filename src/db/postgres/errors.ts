import { type ErrorCode, ReltError } from '../../errors.ts'

const again = 'Try again.'

function codeFor(error: unknown) {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** A conflict with another transaction: an immediate retry can succeed. */
export function isConflict(error: unknown) {
  return ['40001', '40P01'].includes(codeFor(error))
}

/** A violated unique key or foreign key. */
export function violatesConstraint(error: unknown) {
  return ['23503', '23505'].includes(codeFor(error))
}

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]

/** The connection was lost or could not be opened; an open transaction was rolled back. */
export function isLost(error: unknown) {
  const code = codeFor(error)
  // 08: connection exceptions; 57P01 to 57P05: the server shuts down, starts, or ended the session; 53300: too many connections.
  if (/^(?:08...|57P0[1235]|53300)$/.test(code) || networkCodes.includes(code)) return true
  return (
    error instanceof Error && /^(?:Connection terminated|Client has encountered a connection error)/.test(error.message)
  )
}

/** No connection was free in time, or a statement timed out. */
function isTimeout(error: unknown) {
  if (codeFor(error) === '57014') return true
  return error instanceof Error && /^(?:timeout exceeded when trying to connect|Query read timeout)/.test(error.message)
}

/** Maps errors of the connection, of load and of unsupported texts to `ReltError`; returns others unchanged. */
export function toStoreError(error: unknown) {
  if (error instanceof ReltError) return error
  if (isTimeout(error)) {
    return new ReltError('busy', 'The database is busy.', { hint: again, retryAfter: 2, cause: error })
  }
  if (isConflict(error)) {
    return new ReltError('busy', 'The database is busy: another change was in the way.', {
      hint: again,
      retryAfter: 1,
      cause: error,
    })
  }
  if (isLost(error)) {
    return new ReltError('busy', 'The database cannot be reached.', { hint: again, retryAfter: 2, cause: error })
  }
  const [code, message, hint] = messages[codeFor(error)] ?? []
  return code === undefined ? error : new ReltError(code, message!, { ...(hint && { hint }), cause: error })
}

type Known = [code: ErrorCode, message: string, hint?: string]
const unstorable: Known = ['invalid_param', 'A text contains a character that cannot be stored, such as NUL.']
const messages: Partial<Record<string, Known>> = {
  // A NUL or lone surrogate in a text or in JSON.
  '22021': unstorable,
  '22P05': unstorable,
  '53100': ['store_full', 'The disk of the database is full.', 'Free some space, then try again.'],
  '25006': ['store_read_only', 'The database is read-only.', 'Name the primary server in RELT_DATABASE_URL.'],
}
