import { type ErrorCode, ReltError } from '../errors.ts'
import { withoutStop } from '../util/words.ts'

/** Errors that the next request would have too. */
const lasting: ErrorCode[] = [
  'unreachable',
  'busy',
  'rate_limited',
  'unauthenticated',
  'cancelled',
  'usage',
  'key_unavailable',
  'store_unusable',
  'store_read_only',
  'store_full',
]

/** Returns an error that concerns one item only; throws all others. */
export function failureOfItem(error: unknown): ReltError {
  if (error instanceof ReltError && !lasting.includes(error.code)) return error
  throw error
}

/** The message of an error, with the names of its parameters. */
export function reasonFor({ message, params }: ReltError): string {
  const named = Object.entries(params ?? {}).map(([name, why]) => `${name} ${why}`)
  return [withoutStop(message), ...named].join('; ').slice(0, 500)
}
