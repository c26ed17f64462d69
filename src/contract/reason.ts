import * as z from 'zod/mini'

const typeNames: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
}

const without = 'Invalid input'
// Overrides a message that a library with the full zod sets for every schema.
z.config({ customError: () => without })

/** Describes the error of a value for users; also for schemas without a message. */
export function reasonFor(issue: z.core.$ZodIssue) {
  if (issue.message !== without) return issue.message
  if (issue.code === 'invalid_type') return `${typeNames[issue.expected] ?? issue.expected} is needed`
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')} is needed`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  return 'is not a valid value'
}
