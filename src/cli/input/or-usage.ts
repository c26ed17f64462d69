import { ReltError } from '../../errors.ts'

/** Parses a text. Throws `usage` with this message and, as a hint, what the parser's error says to use instead. */
export function orUsage<T>(message: string, parse: () => T) {
  try {
    return parse()
  } catch (cause) {
    throw new ReltError('usage', message, { hint: `Use ${(cause as Error).message}.`, cause })
  }
}
