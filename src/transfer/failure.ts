import { type ErrorCode, ReltError } from '../errors.ts'
import { withoutStop } from '../util/words.ts'

/** The next request would fail, too. */
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

/** An error that concerns one item only. Throws all others. */
export function failureOfItem(error: unknown): ReltError {
  if (error instanceof ReltError && !lasting.includes(error.code)) return error
  throw error
}

/** The sentence of an error, with the parameters that it names. */
export function reasonFor({ message, params }: ReltError): string {
  const named = Object.entries(params ?? {}).map(([name, why]) => `${name} ${why}`)
  return [withoutStop(message), ...named].join('; ').slice(0, 500)
}
