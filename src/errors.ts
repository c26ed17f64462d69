/**
 * All failures that relt knows, with their name in the API, HTTP status and CLI exit code. Used by server and client, which
 * rebuilds the server's error from it.
 */
export const errorTable = {
  invalid_param: { wire: 'rest_invalid_param', status: 400, exit: 2 },
  invalid_json: { wire: 'rest_invalid_json', status: 400, exit: 2 },
  too_large: { wire: 'rest_upload_too_large', status: 413, exit: 2 },
  unsupported_media: { wire: 'rest_unsupported_media_type', status: 415, exit: 2 },
  too_costly: { wire: 'relt_too_costly', status: 422, exit: 1 },
  rate_limited: { wire: 'rest_too_many_requests', status: 429, exit: 7 },
  usage: { wire: 'relt_usage', status: 400, exit: 2 },
  unauthenticated: { wire: 'rest_forbidden', status: 401, exit: 4 },
  forbidden: { wire: 'rest_forbidden', status: 403, exit: 4 },
  not_found: { wire: 'rest_no_route', status: 404, exit: 3 },
  conflict: { wire: 'rest_conflict', status: 409, exit: 2 },
  method_not_allowed: { wire: 'rest_method_not_allowed', status: 405, exit: 2 },
  gate_failed: { wire: 'relt_gate_failed', status: 422, exit: 5 },
  gate_undecided: { wire: 'relt_gate_undecided', status: 422, exit: 6 },
  busy: { wire: 'relt_busy', status: 503, exit: 7 },
  unreachable: { wire: 'relt_unreachable', status: 504, exit: 7 },
  bad_answer: { wire: 'relt_bad_answer', status: 502, exit: 1 },
  key_unavailable: { wire: 'relt_key_unavailable', status: 500, exit: 1 },
  store_unusable: { wire: 'relt_store_unusable', status: 503, exit: 1 },
  store_read_only: { wire: 'relt_store_unusable', status: 503, exit: 1 },
  store_full: { wire: 'relt_store_unusable', status: 507, exit: 1 },
  job_failed: { wire: 'relt_job_failed', status: 500, exit: 1 },
  scan_failed: { wire: 'relt_scan_failed', status: 500, exit: 1 },
  unhealthy: { wire: 'relt_unhealthy', status: 500, exit: 1 },
  not_delivered: { wire: 'relt_not_delivered', status: 502, exit: 1 },
  incomplete: { wire: 'relt_incomplete', status: 500, exit: 1 },
  cancelled: { wire: 'relt_cancelled', status: 499, exit: 130 },
  internal: { wire: 'rest_internal_error', status: 500, exit: 1 },
} as const satisfies Record<string, { wire: string; status: number; exit: number }>

export type ErrorCode = keyof typeof errorTable

interface Details {
  /** What the user can do next, one sentence. */
  hint?: string
  /** Parameter name → what is wrong with it. */
  params?: Record<string, string>
  /** Id of the existing object in a conflict. */
  id?: string | number
  /** Seconds until the same request can succeed. */
  retryAfter?: number
  /** The server's facts about itself and the failed request. */
  origin?: Origin
  /** The last lines that another program printed. */
  output?: string[]
  cause?: unknown
}

export interface Origin {
  requestId?: string | undefined
  version?: string | undefined
  /** The server has no such route. */
  lacksRoute?: boolean
}

export class ReltError extends Error {
  override readonly name = 'ReltError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly params: Record<string, string> | undefined
  readonly id: string | number | undefined
  readonly retryAfter: number | undefined
  readonly origin: Origin | undefined
  readonly output: string[] | undefined

  constructor(code: ErrorCode, message: string, { cause, ...details }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, details)
  }
}

export function exitCodeFor(error: unknown): number {
  return error instanceof ReltError ? errorTable[error.code].exit : 1
}

/** For `catch`: returns a value instead of throwing an error with one of the codes. */
export const insteadOf =
  <T>(codes: ErrorCode | readonly ErrorCode[], value: T) =>
  (error: unknown): T => {
    if (error instanceof ReltError && [codes].flat().includes(error.code)) return value
    throw error
  }

/** For `catch`: returns a value instead of throwing, except if the user cancels or the error is a bug. */
export const unlessCancelled =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof ReltError && error.code !== 'cancelled') return value
    throw error
  }

/** 400 with the parameters' names in the message: "Invalid parameter(s): per_page". */
export function invalidParams(params: Record<string, string>): ReltError {
  return new ReltError('invalid_param', `Invalid parameter(s): ${Object.keys(params).join(', ')}`, { params })
}

export function missingParams(params: Record<string, string>): ReltError {
  return new ReltError('invalid_param', `Missing parameter(s): ${Object.keys(params).join(', ')}`, { params })
}

/** 409: an object with this name exists; `id` is its id. */
export function nameTaken(what: string, name: string, id: string | number): ReltError {
  return new ReltError('conflict', `Another ${what} is named ${name}.`, { id })
}

export function notFound(what: string, id?: string | number): ReltError {
  return new ReltError('not_found', id === undefined ? `No ${what} found.` : `No ${what} with id ${id}.`)
}

/** Error: no project in the catalog matches the input. */
export function noProjectNamed(typed: string): ReltError {
  return new ReltError('not_found', `No project named "${typed}".`, {
    hint: 'Search for it: relt projects search TEXT',
  })
}
