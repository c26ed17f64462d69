import { ReltError } from '../errors.ts'

const maxLength = 2000

/** Describes a failure for the history: message and hint, then the last lines of a program. */
export function describeError(error: unknown): string {
  if (!(error instanceof ReltError)) return (error as Error).message.slice(0, maxLength)
  const { message, hint, params = {}, output = [] } = error
  const details = Object.entries(params).map(([name, problem]) => `${name}: ${problem}.`)
  return [[message, ...details, hint].filter(Boolean).join(' '), ...output].join('\n').slice(0, maxLength)
}
