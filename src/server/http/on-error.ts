import { errorTable, ReltError } from '../../errors.ts'
import { replyJson } from './reply.ts'
import type { HttpContext } from './state.ts'

export interface WireError {
  code: string
  message: string
  data: { status: number; params?: Record<string, string>; id?: string | number }
}

/** The part of an error that a caller may see. For internal errors, only the request id, which identifies the log entry. */
export function toWireError(error: unknown, requestId: string): WireError {
  const known =
    error instanceof ReltError ? error : new ReltError('internal', String((error as Error)?.message), { cause: error })
  if (errorTable[known.code].status === 500) {
    return wireError('internal', `Something went wrong here. The request's id is ${requestId}.`)
  }
  if (known.code === 'busy') return wireError('busy', 'The service is busy. Try again.')
  return wireError(known.code, known.message, known)
}

export function wireError(
  code: keyof typeof errorTable,
  message: string,
  { params, id }: Partial<ReltError> = {},
): WireError {
  const { wire, status } = errorTable[code]
  return { code: wire, message, data: { status, ...(params && { params }), ...(id !== undefined && { id }) } }
}

/** Default seconds, if the error has none. */
const usualRetryAfter: Record<number, number> = { 429: 60, 503: 5 }

export function replyError(c: HttpContext, error: unknown, more: Record<string, string> = {}) {
  const { requestId, triedWith } = c.get('state')
  const body = toWireError(error, requestId)
  const { status } = body.data
  const headers: Record<string, string> = { ...more }
  const usual = usualRetryAfter[status]
  if (usual !== undefined) {
    headers['Retry-After'] = String((error instanceof ReltError && error.retryAfter) || usual)
  }
  // For a session, the header would make the browser show its own sign-in dialog.
  if (status === 401 && triedWith !== 'session') headers['WWW-Authenticate'] ??= 'Basic realm="relt"'
  return replyJson(c, body, { status, headers })
}
