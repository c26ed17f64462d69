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
// A library that loads the whole of zod sets messages of its own for every shape.
z.config({ customError: () => without })

/** Describes the error of a value for people; shapes without a message get one. */
export function reasonFor(issue: z.core.$ZodIssue): string {
  if (issue.message !== without) return issue.message
  if (issue.code === 'invalid_type') return `${typeNames[issue.expected] ?? issue.expected} is needed`
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')} is needed`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  return 'is not a valid value'
}
