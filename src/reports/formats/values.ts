import { invalidParams } from '../../errors.ts'
import { isObject, JsonReader } from '../../util/json.ts'
import { parseTimestamp } from '../../util/time.ts'
import { bareName, isSpelling } from '../spelling.ts'
import { string } from '../text.ts'

/** An object in a foreign report. */
export type Values = Record<string, unknown>

/** Opens a report that must be a single object. */
export function openObject(bytes: Uint8Array) {
  const reader = new JsonReader(bytes, 'The report')
  if (!reader.isObject()) throw invalidParams({ report: 'must be a JSON object' })
  return reader
}

/** Opens a Kubernetes object, or a list of some: a bare list is the `items` of one. */
export function openObjects(bytes: Uint8Array) {
  const list = new JsonReader(bytes, 'The report')
  if (list.isArray()) return { reader: list, members: ['items'] }
  const reader = openObject(bytes)
  return { reader, members: reader.members() }
}

/** The rows of a list that contains findings; null and undefined are an empty list. Throws for anything else. */
export function toRows(value: unknown, where: string): Values[] {
  if (value == null) return []
  if (Array.isArray(value) && value.every(isObject)) return value
  throw notRows(where)
}

/** The members of an object that contains findings. Throws if it is not an object. */
export function membersFor(value: unknown, where: string) {
  if (value == null) return []
  const members = isObject(value) ? Object.entries(value) : undefined
  if (members?.every((member): member is [string, Values] => isObject(member[1]))) return members
  throw invalidParams({ [`report.${where}`]: 'must be an object of objects' })
}

const notRows = (where: string) => invalidParams({ [`report.${where}`]: 'must be a list of objects' })

/** A key that is a known name in another spelling. */
export function misspelt(values: Values, names: readonly string[]) {
  const known = names.map(bareName)
  return Object.keys(values).find((key) => {
    if (names.includes(key)) return false
    const name = bareName(key)
    return known.some((each) => isSpelling(name, each))
  })
}

/** The objects in a list. Values of another type count as absent, here and below. */
export function objects(value: unknown): Values[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function object(value: unknown): Values {
  return isObject(value) ? value : {}
}

/** The members of an object that are objects. */
export function entries(value: unknown) {
  return Object.entries(object(value)).filter((entry): entry is [string, Values] => isObject(entry[1]))
}

/** The members of an object, each a list of rows. Throws for other types; null is an empty list. */
export function toLists(value: unknown, where: string): [string, Values[]][] {
  if (value == null) return []
  if (!isObject(value)) throw invalidParams({ [`report.${where}`]: 'must be an object of lists' })
  return Object.entries(value).map(([key, list]) => [key, toRows(list, where)])
}

/** The members of an object that are texts. */
export function entriesOfTexts(value: unknown) {
  return Object.entries(object(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
}

/** `deployment/web`; null unless both parts are known. */
export const toResource = (kind: string | undefined, name: string | undefined) =>
  kind && name ? `${kind.toLowerCase()}/${name}` : null

/** The kind of a Kubernetes object, if it is one of these of an API group, ignoring case; an object may omit its group. */
export function kindIn<Kind extends string>(kinds: readonly Kind[], group: string, object: Values) {
  const own = string(object.apiVersion)?.split('/')[0]?.toLowerCase() ?? group
  const kind = string(object.kind)?.toLowerCase()
  return own === group ? kinds.find((each) => each.toLowerCase() === kind) : undefined
}

/** A number, or a string that contains one. */
export function number(value: unknown) {
  const result = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof result === 'number' && Number.isFinite(result) ? result : undefined
}

/** Parses a timestamp. Unix seconds. */
export function time(value: unknown) {
  return typeof value === 'string' ? parseTimestamp(value) : undefined
}

/** Iterates over the objects of the next value, a list; `null` is an empty list. Throws for anything else. */
export function* eachObject(reader: JsonReader, where: string): Generator<Values, void> {
  if (!reader.isArray()) {
    if (reader.value() === null) return
    throw invalidParams({ [`report.${where}`]: 'must be a list' })
  }
  for (const _ of reader.elements()) {
    const value = reader.value()
    if (!isObject(value)) throw notRows(where)
    yield value
  }
}

/** Error: the document is not a report of the named scanner. */
export function notOf(scanner: string, missing: string) {
  return invalidParams({ report: `is not a report of ${scanner}: it has no ${missing}` })
}
