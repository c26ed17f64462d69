import type * as z from 'zod/mini'
import { type Origin, ReltError } from '../errors.ts'

/**
 * The answer in the shape of the contract; fields that it does not know are left out. Another implementation may leave
 * out what may be null. Throws `bad_answer`.
 */
export function checkAnswer(shape: z.ZodMiniType, value: unknown, origin: Origin): unknown {
  const first = shape.safeParse(value)
  if (first.success) return first.data
  for (const { path } of first.error.issues) putNull(value, path)
  const second = shape.safeParse(value)
  if (second.success) return second.data
  const issue = second.error.issues[0]!
  const { path, message } = issue
  const why = issue.code === 'invalid_type' ? `${issue.expected} is expected` : message
  const where = path.length === 0 ? 'it as a whole' : `field ${path.join('.')}`
  const text = `The server's answer is not what the contract says: ${where}: ${why}.`
  throw new ReltError('bad_answer', text.slice(0, 500), {
    hint: 'Check that the address is that of the interface, and that server and client have the same version.',
    origin,
  })
}

/** Where nothing stands yet. */
function putNull(value: unknown, path: readonly PropertyKey[]): void {
  const [last, ...above] = path.toReversed()
  if (last === undefined) return
  let holder = value
  for (const key of above.toReversed()) holder = (holder as Record<PropertyKey, unknown> | undefined)?.[key]
  if (typeof holder !== 'object' || holder === null || Object.hasOwn(holder, last)) return
  ;(holder as Record<PropertyKey, unknown>)[last] = null
}
