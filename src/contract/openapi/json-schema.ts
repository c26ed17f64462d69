import * as z from 'zod/mini'
import { names } from './components.ts'

export type JsonSchema = { properties?: Record<string, JsonSchema>; required?: string[] } & Record<string, unknown>

/** Converts zod schemas to JSON Schema, and collects those with a name. */
export class Schemas {
  readonly #named = new Map<string, JsonSchema>()

  /** `io`: the value that a client sends, or that the service returns. */
  of(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      io,
      metadata: names,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod
        // Zod omits the default of a schema with a transform.
        if (def.type === 'default') jsonSchema.default = def.defaultValue
      },
    })
    for (const [name, definition] of Object.entries($defs)) this.add(name, tidy(definition, io))
    return tidy(own, io)
  }

  add(name: string, schema: JsonSchema): { $ref: string } {
    const known = this.#named.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`${name} has two shapes.`)
    this.#named.set(name, schema)
    return refTo(name)
  }

  has(name: string): boolean {
    return this.#named.has(name)
  }

  /** Resolves a reference; returns any other schema as it is. */
  resolve(schema: JsonSchema) {
    return typeof schema.$ref === 'string' ? this.#named.get(schema.$ref.split('/').at(-1)!)! : schema
  }

  /** All collected schemas, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

export function refTo(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

/** Converts references to OpenAPI's form, lets answers have additional fields, and removes bounds of safe integers. */
function tidy(node: unknown, io: 'input' | 'output') {
  return walk(node) as JsonSchema

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(([key, member]) => !isNoise(key, member))
    return Object.fromEntries(
      entries.map(([key, member]) => [
        key,
        key === '$ref' ? refTo(String(member).split('/').at(-1)!).$ref : walk(member),
      ]),
    )
  }

  function isNoise(key: string, member: unknown): boolean {
    if (key === 'additionalProperties' && (member === false || isEmpty(member))) return true
    if (key === 'minimum' && member === Number.MIN_SAFE_INTEGER) return true
    return io === 'output' && key === 'maximum' && member === Number.MAX_SAFE_INTEGER
  }
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
