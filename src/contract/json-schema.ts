import * as z from 'zod/mini'

/** JSON Schema 2020-12 of a schema, without references. `io`: the value that a client sends, or that the service returns. */
export function toJsonSchema(shape: z.core.$ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    metadata: z.registry(),
  })
  return schema
}
