import { isObject, type JsonReader } from '../../util/json.ts'

/**
 * Inspects the next value. If it returns true, the rest of the value may be unread and the reader must not be used again;
 * if it returns false, the reader is past the value.
 */
export type Lookahead = (reader: JsonReader) => boolean

/** One of the elements passes. */
export const someElement =
  (look: Lookahead): Lookahead =>
  (reader) => {
    if (!reader.isArray()) return skip(reader)
    for (const _ of reader.elements()) if (look(reader)) return true
    return false
  }

/** One of the members passes. */
export const someMember =
  (look: Lookahead): Lookahead =>
  (reader) => {
    if (!reader.isObject()) return skip(reader)
    for (const _ of reader.members()) if (look(reader)) return true
    return false
  }

/** It is an object, and the keys read so far are enough. */
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
 * The outline of the value that comes next: a scalar as it is, of a list its first element if that is an object, of an
 * object its members with `true` for those that are no scalars.
 */
export function outline(reader: JsonReader): unknown {
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

function outlineOfObject(reader: JsonReader): Record<string, unknown> {
  const outlined: Record<string, unknown> = {}
  for (const key of reader.members()) {
    if (reader.isObject() || reader.isArray()) {
      outlined[key] = true
      reader.skip()
    } else outlined[key] = reader.value()
  }
  return outlined
}

function skip(reader: JsonReader): false {
  reader.skip()
  return false
}
