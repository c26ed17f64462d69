import { ReltError } from '../errors.ts'

/** The id by which something is changed. Throws `bad_answer` when the server lists it without one. */
export function knownId<T>(id: T | null, what: string): T {
  if (id !== null) return id
  throw new ReltError('bad_answer', `The server does not say the id of ${what}, so it cannot be addressed.`, {
    hint: 'Use the web pages of that server for this.',
  })
}
