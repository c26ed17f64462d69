import { ReltError } from '../errors.ts'

/** The id for changing an item. Throws `bad_answer` if the server lists it without one. */
export function knownId<T>(id: T | null, what: string): T {
  if (id !== null) return id
  throw new ReltError('bad_answer', `The server did not return the id of ${what}.`, {
    hint: 'Use the web pages of the server instead.',
  })
}
