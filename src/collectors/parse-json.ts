import type * as z from 'zod/mini'

/** Undefined for invalid JSON, and for other schemas. */
export function parseJson<T extends z.ZodMiniType>(body: Buffer, shape: T): z.output<T> | undefined {
  try {
    return shape.safeParse(JSON.parse(body.toString('utf8'))).data
  } catch {
    return undefined
  }
}
