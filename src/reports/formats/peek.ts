import { isObject, type JsonReader } from '../../util/json.ts'

/**
 * Inspects the next value. If it returns true, the value may be only partly read and the reader must not be used again; if
 * false, the reader is past the value.
 */
export type Lookahead = (reader: JsonReader) => boolean

/** Whether one of the elements passes the test. */
export const someElement =
  (look: Lookahead): Lookahead =>
  (reader) => {
    if (!reader.isArray()) return skip(reader)
    for (const _ of reader.elements()) if (look(reader)) return true
    return false
  }

/** Whether one of the members passes the test. */
export const someMember =
  (look: Lookahead): Lookahead =>
  (reader) => {
    if (!reader.isObject()) return skip(reader)
    for (const _ of reader.members()) if (look(reader)) return true
    return false
  }

/** Whether the value is an object with enough of the keys; stops as soon as it is known. */
export const hasKeys =
  (areEnough: (keys: Set<string>) => boolean): Lookahead =>
  (reader) => {
    if (!reader.isObject()) return skip(reader)
    const keys = new Set<string>()
    for (const key of reader.members()) {
      if (areEnough(keys.add(key))) return true
      reader.skip()
    }
    return false
  }

export const isObjectWith =
  (passes: (value: Record<string, unknown>) => boolean): Lookahead =>
  (reader) => {
    const value = reader.value()
    return isObject(value) && passes(value)
  }

/**
 * The outline of the next value: scalars unchanged, a list as its first element if that is an object, an object with `true`
 * in place of nested values.
 */
export function outline(reader: JsonReader) {
  if (reader.isArray()) {
    let first: unknown
    for (const position of reader.elements()) {
      if (position === 0 && reader.isObject()) first = outlineOfObject(reader)
      else reader.skip()
    }
    return first
  }
  return reader.isObject() ? outlineOfObject(reader) : reader.value()
}

function outlineOfObject(reader: JsonReader) {
  const outlined: Record<string, unknown> = {}
  for (const key of reader.members()) {
    if (reader.isObject() || reader.isArray()) {
      outlined[key] = true
      reader.skip()
    } else outlined[key] = reader.value()
  }
  return outlined
}

function skip(reader: JsonReader) {
  reader.skip()
  return false
}
