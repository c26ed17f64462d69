import { isObject } from '../util/json.ts'
import { unseen } from '../util/unseen.ts'

/** The parts of a JSON Schema that `fence` reads. */
export type AnswerSchema = { [keyword: string]: unknown }

/** Prefix of members with foreign text. */
const untrusted = 'untrusted_'

const maxText = 4000

/**
 * An answer in which foreign text only occurs in members named `untrusted_…`: any text that its schema does not restrict (by
 * enum or pattern), and that is not a plain version, date, or id of an advisory or check. Omits members that are not in the
 * schema.
 */
export function fence(schema: AnswerSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const item = branches(schema).flatMap(({ items }) => (isObject(items) ? [items] : []))
    return value.map((each) => {
      const fenced = fence({ anyOf: item }, each)
      return typeof each === 'string' && !isTrusted({ anyOf: item }, each) ? { [`${untrusted}text`]: fenced } : fenced
    })
  }
  if (isObject(value)) return fenceMembers(schema, value)
  return typeof value === 'string' ? cleaned(schema, value) : value
}

function fenceMembers(schema: AnswerSchema, value: Record<string, unknown>): Record<string, unknown> {
  const known = branches(schema)
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const own = known.flatMap(({ properties, additionalProperties: rest }) => {
      if (isObject(properties) && isObject(properties[name])) return [properties[name]]
      return isObject(rest) && /^[a-z][a-z_]{0,30}$/.test(name) ? [rest] : []
    })
    if (own.length === 0 || member === undefined) return []
    const shape = { anyOf: own }
    const isForeign = typeof member === 'string' && !isTrusted(shape, member)
    return [[isForeign ? untrusted + name : name, fence(shape, member)]]
  })
  return Object.fromEntries(members)
}

/** The alternatives of a schema; a schema without any is the only one. */
function branches(schema: AnswerSchema): AnswerSchema[] {
  const { anyOf, oneOf, allOf } = schema
  const inner = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as AnswerSchema[]) : []))
  return inner.length > 0 ? inner.flatMap(branches) : [schema]
}

/** Whether the schema restricts the text, or its form leaves no room for a sentence. */
function isTrusted(schema: AnswerSchema, text: string): boolean {
  return isPlain(text) || branches(schema).some((branch) => bounds(branch, text))
}

function bounds({ enum: values, const: only, pattern }: AnswerSchema, text: string) {
  if (Array.isArray(values)) return values.includes(text)
  if (only !== undefined) return only === text
  return (
    typeof pattern === 'string' &&
    text.length <= 80 &&
    !/[\s_-].*[\s_-]/.test(text) &&
    new RegExp(pattern, 'u').test(text)
  )
}

const plain = [
  // A day or time.
  /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?Z?)?$/,
  // A version.
  /^v?\d{1,8}(\.\d{1,8}){0,3}(-(alpha|beta|rc)[.-]?\d{0,4})?([+-](k3s|rke2r|gke\.|eks\.)\d{1,8})?$/,
  // An advisory id.
  /^(CVE-\d{4}-\d{4,7}|GHSA(-[0-9a-z]{4}){3})$/,
  // A check id.
  /^[A-Z]{2,8}\d{1,5}$/,
  // A fingerprint.
  /^[0-9a-f]{12,64}$/,
]

const isPlain = (text: string) => plain.some((form) => form.test(text))

function cleaned(schema: AnswerSchema, text: string) {
  if (isTrusted(schema, text)) return text
  const clean = text.toWellFormed().replace(unseen, (run) => (run.includes('\n') ? '\n' : ' '))
  return clean.length <= maxText ? clean : `${clean.slice(0, maxText).toWellFormed()}…`
}
