import type * as z from 'zod/mini'
import { type Origin, ReltError } from '../errors.ts'

/** The answer in the shape of the contract; fields that it does not know are left out. Throws `bad_answer`. */
export function checkAnswer(shape: z.ZodMiniType, value: unknown, origin: Origin): unknown {
  const checked = shape.safeParse(value)
  if (checked.success) return checked.data
  const issue = checked.error.issues[0]!
  const { path, message } = issue
  const why = issue.code === 'invalid_type' ? `${issue.expected} is expected` : message
  const where = path.length === 0 ? 'it as a whole' : `field ${path.join('.')}`
  const text = `The server's answer is not what the contract says: ${where}: ${why}.`
  throw new ReltError('bad_answer', text.slice(0, 500), {
    hint: 'Check that the address is that of the interface, and that server and client have the same version.',
    origin,
  })
}
