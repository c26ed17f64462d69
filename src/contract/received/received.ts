import * as z from 'zod/mini'

type Shape = Record<string, z.ZodMiniType>

/** Fields that may be missing keep that; all others that are not demanded can be null. */
export type Received<T, Own extends keyof T> = {
  [Field in keyof T]: Field extends Own ? T[Field] : undefined extends T[Field] ? T[Field] : T[Field] | null
}

/**
 * The shape in which a client takes something from any server. Fields named in `own` are demanded, since the interface
 * always shows them. Any other is null when the server leaves it out, or means something else by its name.
 */
export function received<S extends z.ZodMiniObject, Own extends keyof z.output<S> & string>(
  strict: S,
  own: readonly Own[],
): z.ZodMiniType<Received<z.output<S>, Own>> {
  const fields = Object.entries(strict.shape as Shape).map(([name, field]) => [
    name,
    own.includes(name as Own) ? demanded(field) : tolerated(field),
  ])
  return z.object(Object.fromEntries(fields)) as never
}

function demanded(field: z.ZodMiniType): z.ZodMiniType {
  return takes(field, null) ? z._default(field, null) : field
}

function tolerated(field: z.ZodMiniType): z.ZodMiniType {
  return takes(field, undefined) ? z.catch(field, undefined) : z.catch(z._default(z.nullable(field), null), null)
}

function takes(field: z.ZodMiniType, value: unknown): boolean {
  return field.safeParse(value).success
}

/** A shape that is checked after `reshape` has converted the answer to relt's form. */
export function reshaped<S extends z.ZodMiniType>(reshape: (value: unknown) => unknown, shape: S) {
  return z.pipe(z.transform(reshape), shape as never) as z.ZodMiniType<z.output<S>>
}

/** For lists whose envelope the interface does not show: under the first of these names, or by themselves. */
export function listUnder<S extends z.ZodMiniType>(names: [string, ...string[]], shape: S) {
  const [ours, ...others] = names
  return reshaped((value) => {
    if (Array.isArray(value)) return { [ours]: value }
    if (!isRecord(value) || Array.isArray(value[ours])) return value
    const other = others.find((name) => Array.isArray(value[name]))
    return other === undefined ? value : { ...value, [ours]: value[other] }
  }, shape)
}

/** For things whose envelope the interface does not show: by themselves, or under one of these names. */
export function objectUnder<S extends z.ZodMiniType>(key: string, names: string[], shape: S) {
  return reshaped((value) => {
    if (!isRecord(value) || key in value) return value
    return names.map((name) => value[name]).find(isRecord) ?? value
  }, shape)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `success`, where the interface does not promise it: a server that says false has not done it. */
export const maybeSuccess = { success: z.optional(z.literal(true)) }
