import * as z from 'zod/mini'

/** JSON Schema 2020-12 of a shape, whole: without references. `io`: a value as a client sends it, or as the service answers. */
export function toJsonSchema(shape: z.core.$ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    metadata: z.registry(),
  })
  return schema
}
