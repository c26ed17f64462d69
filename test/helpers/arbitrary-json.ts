import * as fc from 'fast-check'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  items?: Schema
  pattern?: string
  [keyword: string]: unknown
}

type Resolve = (schema: Schema) => Schema

/**
 * Values of a JSON Schema, nearly: rules between members (`if`, `not`) are left to whoever asks, who has to drop values that
 * do not fit. Texts and lists stay short.
 */
export function toArbitrary(schema: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  const known = resolve(schema)
  if ('const' in known) return fc.constant(known.const)
  if (known.enum) return fc.constantFrom(...known.enum)
  if (known.anyOf) {
    const { anyOf, ...rest } = known
    return fc.oneof(...anyOf.map((option) => toArbitrary(merged(rest, resolve(option), resolve), resolve, depth)))
  }
  const types = [known.type ?? (known.properties ? 'object' : 'any')].flat()
  return fc.oneof(...types.map((type) => ofType(type, known, resolve, depth)))
}

function ofType(type: string, schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: minimum ?? -(2 ** 31), max: Math.min(maximum ?? 2 ** 31, 2 ** 53 - 1) })
    case 'number':
      return fc.double({ min: minimum ?? -1e9, max: maximum ?? 1e9, noNaN: true })
    case 'string':
      return toText(schema)
    case 'array':
      return fc.array(toArbitrary(schema.items ?? {}, resolve, depth + 1), { maxLength: 3 })
    case 'object':
      return toObject(schema, resolve, depth)
    default:
      return any
  }
}

const character = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
/** Without NUL, and without keys that are refused everywhere. */
const any = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })
  .filter((value) => !/\\u0000|__proto__|"constructor"|"prototype"/.test(JSON.stringify(value)))

function toText({ pattern, minLength = 0, maxLength = pattern ? Infinity : 40 }: Schema): fc.Arbitrary<string> {
  const [min, max] = [minLength as number, maxLength as number]
  const texts = pattern
    ? textMatching(pattern)
    : fc.string({ unit: character, minLength: min, maxLength: Math.min(max, 40) })
  return texts.filter((text) => [...text].length <= max && [...text].length >= min && text.isWellFormed())
}

/** Reading a pattern takes longer than making its texts, and a document repeats few patterns often. */
function textMatching(pattern: string): fc.Arbitrary<string> {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  matching.set(pattern, known)
  return known
}

const matching = new Map<string, fc.Arbitrary<string>>()

function toObject(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema
  const members = Object.entries(properties)
    // Deep inside, what may be missing mostly is.
    .filter(([name]) => depth < 4 || required.includes(name))
    .map(([name, member]) => [name, toArbitrary(member, resolve, depth + 1)] as const)
  const own = fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => name in properties) })
  if (additionalProperties === undefined || additionalProperties === false) return own
  const value = additionalProperties === true ? any : toArbitrary(additionalProperties, resolve, depth + 1)
  const key = propertyNames?.pattern
    ? fc.stringMatching(new RegExp(propertyNames.pattern))
    : fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/)
  const others = fc.dictionary(key, value, { minKeys: (schema.minProperties as number) ?? 0, maxKeys: 3 })
  return fc.tuple(own, others).map(([mine, more]) => ({ ...more, ...mine }))
}

/** Both at once, for objects and what their members say. */
function merged(one: Schema, other: Schema, resolve: Resolve): Schema {
  const result: Schema = { ...one, ...other }
  if (one.required || other.required) result.required = [...(one.required ?? []), ...(other.required ?? [])]
  if (one.properties || other.properties) {
    result.properties = { ...one.properties }
    for (const [name, member] of Object.entries(other.properties ?? {})) {
      const known = one.properties?.[name]
      result.properties[name] = known ? merged(resolve(known), resolve(member), resolve) : member
    }
  }
  return result
}

/** The value with one place of it changed, but not inside of `except`: another kind, out of bounds, or nothing at all. */
export function oneStepFrom(value: unknown, except: string): fc.Arbitrary<unknown> {
  const places = placesIn(value).filter(([first, ...rest]) => first !== except || rest.length === 0)
  const wrong = fc.oneof(
    fc.constantFrom<unknown>(null, true, '', ' ', 'x\u0001', -1, 0, 1.5, 1e300, [], {}, 'x'.repeat(3000), undefined),
    fc.constantFrom<unknown>(['x'], { x: 1 }, 'https://127.0.0.1/', 'CVE-1', '2026-02-30', '#12345'),
  )
  return fc.tuple(fc.nat(places.length - 1), wrong).map(([place, bad]) => replaced(value, places[place]!, bad))
}

function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: string[], bad: unknown): unknown {
  if (key === undefined) return bad === undefined ? null : bad
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  if (rest.length === 0 && bad === undefined && !Array.isArray(value)) delete copy[key]
  else copy[key] = replaced(copy[key], rest, bad)
  return copy
}
