import * as z from 'zod/mini'
import { isObject } from '../../util/json.ts'
import { optionalTrue } from '../shape.ts'

/** Optional fields stay optional; all others become nullable unless required. */
export type Received<T, Own extends keyof T> = {
  [Field in keyof T]: Field extends Own ? T[Field] : undefined extends T[Field] ? T[Field] : T[Field] | null
}

/**
 * The schema that a client uses for answers of any server. Fields in `own` are required, because the published API
 * guarantees them. Any other becomes null if the server omits it, or if its value is invalid.
 */
export function received<S extends z.ZodMiniObject, Own extends keyof z.output<S> & string>(
  strict: S,
  own: readonly Own[],
): z.ZodMiniType<Received<z.output<S>, Own>> {
  const fields = Object.entries(strict.shape as Record<string, z.ZodMiniType>).map(([name, field]) => {
    const takes = (value: unknown) => field.safeParse(value).success
    if (own.includes(name as Own)) return [name, takes(null) ? z._default(field, null) : field]
    return [name, takes(undefined) ? z.catch(field, undefined) : z.catch(z._default(z.nullable(field), null), null)]
  })
  return z.object(Object.fromEntries(fields)) as never
}

/** A schema that is validated after `reshape` has converted the answer to relt's form. */
export function reshaped<S extends z.ZodMiniType>(reshape: (value: unknown) => unknown, shape: S) {
  return z.pipe(z.transform(reshape), shape) as z.ZodMiniType<z.output<S>>
}

/** For lists with an undocumented envelope: under the first of these names, or without an envelope. */
export function listUnder<S extends z.ZodMiniType>(names: [string, ...string[]], shape: S) {
  const [ours, ...others] = names
  return reshaped((value) => {
    if (Array.isArray(value)) return { [ours]: value }
    if (!isObject(value) || Array.isArray(value[ours])) return value
    const other = others.find((name) => Array.isArray(value[name]))
    return other === undefined ? value : { ...value, [ours]: value[other] }
  }, shape)
}

/** For objects with an undocumented envelope: without one, or under one of these names. */
export function objectUnder<S extends z.ZodMiniType>(key: string, names: string[], shape: S) {
  return reshaped((value) => {
    if (!isObject(value) || key in value) return value
    return names.map((name) => value[name]).find(isObject) ?? value
  }, shape)
}

/** `success`, if the published API does not guarantee it; false means that the request failed. */
export const maybeSuccess = { success: optionalTrue }
