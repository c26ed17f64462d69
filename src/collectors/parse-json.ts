import type * as z from 'zod/mini'

/** Undefined for invalid JSON, and for other schemas. */
export function parseJson<T extends z.ZodMiniType>(body: Buffer, shape: T): z.output<T> | undefined {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
  const parsed = shape.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
